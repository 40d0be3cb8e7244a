// Cards as they look: a region's silhouette in its colour, an action's anchor and city, a ring.

import { make, makeSvg } from "../common/dom.js";
import { planWords } from "../common/words.js";

/** An anchor around (0, 0), as an SVG path of lines. */
export const ANCHOR =
  "M0-9a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 1 1 0-5.2M0-3.8V9M-4.5-.8H4.5M-8.5 2.5C-8 7-4 9 0 9S8 7 8.5 2.5" +
  "M-8.5 2.5l-2 2.6M-8.5 2.5l2.6 2M8.5 2.5l2 2.6M8.5 2.5l-2.6 2";
const CITY =
  "M-10 9V-1h4V9M6 9V-1h4V9M-6 9V-5h2.4v2.2h2.4V-5h2.4v2.2h2.4V-5H6V9M-2 9V5a2 2 0 0 1 4 0V9M-12 9H12" +
  "M-8-1v-4M8-1v-4";
const CROWN = "M-10 8L-12-4-6 1 0-8 6 1 12-4 10 8ZM-10 8H10";

const sign = (d, transform, style) => makeSvg("path", { d, transform, class: `sign ${style}` });

/** What is drawn on each action card. */
const SIGNS = {
  A: () => [sign(ANCHOR, "translate(24 17) scale(1.25)", "anchor")],
  B: () => [sign(CITY, "translate(24 17) scale(1.25)", "city")],
  C: () => [
    sign(ANCHOR, "translate(11 17) scale(.95)", "anchor"),
    sign(CITY, "translate(36 17) scale(.85)", "city"),
  ],
};

const picture = (viewBox, style, ...shapes) =>
  makeSvg("svg", { viewBox, class: `card-picture ${style}`, "aria-hidden": "true" }, ...shapes);

/** Returns the numbers in an SVG path, as points. */
function points(path) {
  const numbers = path.match(/-?[\d.]+/g).map(Number);
  return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
}

/** Returns the smallest box around outlines, with a margin, as a viewBox. */
export function boxAround(outlines, margin = 2) {
  const all = outlines.flatMap(points);
  const [xs, ys] = [0, 1].map((i) => all.map((point) => point[i]));
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top];
}

/** Returns the silhouette of a region card; that of all inactive regions for "inactive". */
export function regionPicture(name, look, view) {
  const names = name === "inactive" ? view.inactive : [name];
  const regions = look.regions.filter(({ name, outline }) => outline && names.includes(name));
  if (!regions.length) return picture("0 0 1 1", "silhouette"); // a small map has none of them
  return picture(
    boxAround(regions.map(({ outline }) => outline)).join(" "),
    "silhouette",
    ...regions.map(({ outline, color }) => makeSvg("path", { d: outline, fill: color })),
  );
}

/** Returns what an action card shows. */
export const actionPicture = (name) => picture("0 0 48 34", "action", ...SIGNS[name]());

/** Returns what King's Privilege shows: a crown, and the ring that it costs. */
export const privilegePicture = (color) =>
  picture(
    "0 0 48 34",
    "privilege",
    sign(CROWN, "translate(17 17)", "crown"),
    makeSvg("circle", { cx: 39, cy: 18, r: 6, class: "ring-cost", stroke: color }),
  );

/** Returns the face of a plan's cards, small and side by side, such as at the reveal. */
export function planFaces(plan, look, view, color) {
  const faces = [
    make("span", { class: "face" }, regionPicture(plan.region, look, view)),
    make("span", { class: "face" }, actionPicture(plan.action), make("b", {}, plan.action)),
  ];
  if (plan.privilege) faces.push(make("span", { class: "face" }, privilegePicture(color)));
  return make("span", { class: "faces", role: "img", "aria-label": planWords(plan) }, ...faces);
}
