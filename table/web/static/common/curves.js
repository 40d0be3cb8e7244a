// Score curves: each player's points after each move.

import { makeSvg } from "./dom.js";
import { playerName, total } from "./words.js";

const [WIDTH, HEIGHT, LEFT, BELOW] = [420, 170, 30, 20];

/** Returns the curves of a game's frames, with a line at the frame `now`. */
export function scoreCurves(frames, board, now) {
  const most = Math.max(20, ...frames.at(-1).view.players.map(total));
  const x = (i) => LEFT + ((WIDTH - LEFT - 6) * i) / Math.max(1, frames.length - 1);
  const y = (points) => HEIGHT - BELOW - ((HEIGHT - BELOW - 8) * points) / most;
  const svg = makeSvg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "curves",
    role: "img",
    "aria-label": "Points by move",
  });
  for (let points = 0; points <= most; points += most > 100 ? 50 : 20) {
    svg.append(
      makeSvg("line", { x1: LEFT, x2: WIDTH - 6, y1: y(points), y2: y(points), class: "grid" }),
      makeSvg("text", { x: LEFT - 4, y: y(points) + 4, "text-anchor": "end" }, String(points)),
    );
  }
  frames[0].view.players.forEach((player, seat) => {
    const points = frames.map((frame, i) => `${x(i)},${y(total(frame.view.players[seat]))}`);
    const stroke = board.colors.players[seat];
    const line = makeSvg("polyline", { points: points.join(" "), stroke, class: "curve" });
    line.append(makeSvg("title", {}, playerName(player)));
    svg.append(line);
  });
  svg.append(makeSvg("line", { x1: x(now), x2: x(now), y1: 4, y2: HEIGHT - BELOW, class: "now" }));
  svg.append(makeSvg("text", { x: WIDTH - 6, y: HEIGHT - 4, "text-anchor": "end" }, "moves"));
  return svg;
}
