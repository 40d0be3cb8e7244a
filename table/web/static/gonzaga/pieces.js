// Pieces and badges drawn on the map, above those of the server.

import { makeSvg } from "../common/dom.js";
import { key, neighbors } from "../common/geometry.js";
import { castle } from "../common/shapes.js";

const BADGE = { units: 21, pixels: 12 }; // radius: on the map, and at least in the window

/** Returns the shapes of a fief where it would lie. */
export function pieceShapes(board, placement, color) {
  const { cells, castles } = placement;
  return [
    ...cells.map((cell) => board.polygon(cell, { class: "piece", fill: color })),
    ...castles.map((cell) => castle(board.pointOf(cell), board.hexWidth * 0.2)),
  ];
}

/** Returns a ring where it would lie. */
export function ringShape(board, cell, color) {
  const [cx, cy] = board.pointOf(cell);
  return makeSvg("circle", { cx, cy, r: board.hexWidth * 0.3, class: "ring", stroke: color });
}

/** Returns a disc with a short text. */
export function badge([x, y], text, radius, style = "", scale = 1) {
  return makeSvg(
    "g",
    { class: `badge ${style}`, transform: `translate(${x} ${y}) scale(${scale})` },
    makeSvg("circle", { r: radius }),
    makeSvg("text", text.length > 2 ? { y: 7, "font-size": 19 } : { y: 8, "font-size": 23 }, text),
  );
}

/** Returns the points of a placement beside it, where they hide no city, harbor or castle. */
export function pointsBadge(board, { cells, castles = [], points }) {
  const scale = Math.max(1, BADGE.pixels / (BADGE.units * board.pixels()));
  const radius = BADGE.units * scale;
  const marks = [...board.data.sites.map((site) => site.cell), ...castles].map((cell) =>
    board.pointOf(cell),
  );
  const room = ([x, y]) => Math.min(...marks.map(([x2, y2]) => Math.hypot(x - x2, y - y2)));
  const enough = radius + 0.22 * board.hexWidth;
  const [best] = besides(board, cells, 0.3 * board.hexWidth + radius)
    .map((at) => ({ at, score: Math.min(room(at), enough) * 100 - at[1] }))
    .sort((a, b) => b.score - a.score);
  return badge(best.at, `+${points}`, BADGE.units, "", scale);
}

/** Returns points at a distance from the middle of hexes, towards neighbours beside them. */
function besides(board, cells, distance) {
  const own = new Set(cells.map(key));
  return cells.flatMap((cell) => {
    const [x, y] = board.pointOf(cell);
    return neighbors(cell)
      .filter((other) => !own.has(key(other)))
      .map((other) => {
        const [x2, y2] = board.pointOf(other);
        const part = distance / Math.hypot(x2 - x, y2 - y);
        return [x + part * (x2 - x), y + part * (y2 - y)];
      });
  });
}

/** Returns an SVG path around hexes of a board: every side that no two of them share. */
export function outline(board, cells) {
  const names = new Set(cells.map(key));
  const sides = cells.flatMap((cell) => {
    const corners = board.hexes.get(key(cell)).corners.split(" ");
    const around = neighbors(cell);
    // The corners run clockwise from the north, the neighbours from the east.
    return corners
      .map((corner, i) => [corner, corners[(i + 1) % 6], around[(i + 5) % 6]])
      .filter(([, , other]) => !names.has(key(other)))
      .map(([from, to]) => `M${from}L${to}`);
  });
  return sides.join("");
}
