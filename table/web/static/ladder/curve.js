// The curve of a rating: its most probable value after each game, and the range around it.

import { makeSvg } from "../common/dom.js";
import { words } from "../words/index.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, EDGE] = [480, 240, 42, 128, 14];
const STEPS = [50, 100, 200, 250, 500, 1000];
const LINES = 4; // of the grid, at most
const LETTER = 14; // height of a line of text

/** Returns the picture of a curve `[games, rating, low, high]`, with the agents' ratings beside it. */
export function curve(points, agents) {
  const ratings = points.map(([, rating]) => rating);
  const [, , low, high] = points.at(-1);
  const bottom = Math.min(...ratings, low) - 20, top = Math.max(...ratings, high) + 20;
  const last = points.at(-1)[0];
  const x = (games) => LEFT + (games / last) * (WIDTH - LEFT - RIGHT);
  const y = (rating) => EDGE + ((top - rating) / (top - bottom)) * (HEIGHT - 2 * EDGE);
  const clip = (rating) => y(Math.min(top, Math.max(bottom, rating)));
  const line = points.map(([games, rating]) => `${x(games)},${y(rating)}`).join(" ");
  const upper = points.map(([games, , , end]) => `${x(games)},${clip(end)}`);
  const lower = points.map(([games, , end]) => `${x(games)},${clip(end)}`).reverse();
  const inside = agents.filter(({ rating }) => rating > bottom && rating < top);
  const label = words.ladder.curve(ratings[0], ratings.at(-1));
  return makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve", role: "img", "aria-label": label },
    ...grid(bottom, top).map((rating) => mark(rating, y(rating))),
    ...spread(inside.map(({ agent, rating }) => ({ agent, at: y(rating), to: y(rating) }))).map(agentMark),
    makeSvg("polygon", { points: [...upper, ...lower].join(" "), class: "range" }),
    makeSvg("polyline", { points: line, class: "line" }),
    makeSvg("circle", { cx: x(last), cy: y(ratings.at(-1)), r: 4, class: "dot" }));
}

/** Returns round ratings between two ends. */
export function grid(bottom, top) {
  const step = STEPS.find((one) => (top - bottom) / one <= LINES) ?? STEPS.at(-1);
  const first = Math.ceil(bottom / step) * step;
  return Array.from({ length: Math.floor((top - first) / step) + 1 }, (_, i) => first + i * step);
}

function mark(rating, at) {
  const text = makeSvg("text", { x: LEFT - 6, y: at + 4, "text-anchor": "end" }, String(rating));
  return makeSvg("g", { class: "grid" }, makeSvg("path", { d: `M${LEFT} ${at}H${WIDTH - RIGHT}` }), text);
}

/** Moves labels apart that would run into each other; `to` is where the text goes. */
export function spread(marks) {
  const sorted = marks.sort((one, other) => one.at - other.at);
  sorted.forEach((one, i) => {
    if (i) one.to = Math.max(one.at, sorted[i - 1].to + LETTER);
  });
  return sorted;
}

function agentMark({ agent, at, to }) {
  const end = WIDTH - RIGHT;
  return makeSvg("g", { class: "agent" },
    makeSvg("path", { d: `M${LEFT} ${at}H${end}L${end + 8} ${to}` }),
    makeSvg("text", { x: end + 11, y: to + 4 }, agent));
}
