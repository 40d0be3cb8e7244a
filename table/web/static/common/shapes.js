// Small pictures beside the board: fiefs, rings, castles, crests and symbols.

import { fill, words } from "../words/index.js";
import { drawn, make, makeSvg } from "./dom.js";
import { axialPoint, corners, rotated } from "./geometry.js";

const TOWER =
  "-.75,.85 -.6,.1 -.6,-.2 -.8,-.2 -.8,-.85 -.45,-.85 -.45,-.55 -.18,-.55 -.18,-.85 .18,-.85 " +
  ".18,-.55 .45,-.55 .45,-.85 .8,-.85 .8,-.2 .6,-.2 .6,.1 .75,.85";

/** Returns a castle at a point. */
export function castle([x, y], radius, attributes = {}) {
  const transform = `translate(${x} ${y}) scale(${radius})`;
  return makeSvg("polygon", { points: TOWER, transform, class: "castle", ...attributes });
}

/** Returns a fief as a picture in the colour of a seat; `fief` has axial cells and castles. */
export function fiefPicture(fief, rotation, color, size = 20) {
  const cells = rotated(fief.cells, rotation).map(axialPoint);
  const castles = rotated(fief.castles, rotation).map(axialPoint);
  const [xs, ys] = [cells.map(([x]) => x), cells.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - 0.6, Math.min(...ys) - 0.68];
  const width = Math.max(...xs) - left + 0.6;
  const height = Math.max(...ys) - top + 0.68;
  return makeSvg(
    "svg",
    {
      viewBox: `${left} ${top} ${width} ${height}`,
      width: width * size,
      height: height * size,
      class: "fief-picture",
      "aria-hidden": "true",
    },
    ...cells.map((at) =>
      makeSvg("polygon", { points: corners(at, 0.97), fill: color, class: "hex" }),
    ),
    ...castles.map((at) => castle(at, 0.26)),
  );
}

/** Returns the six rings of a player, those that are spent as dashed circles. */
export function ringsPicture(rings, color) {
  const circles = [0, 1, 2, 3, 4, 5].map((i) =>
    makeSvg("circle", {
      cx: 9 + 18 * i,
      cy: 9,
      r: 6,
      fill: "none",
      stroke: i < rings ? color : "var(--muted)",
      "stroke-width": i < rings ? 3.4 : 1,
      "stroke-dasharray": i < rings ? null : "2.5 2.5",
    }),
  );
  return makeSvg(
    "svg",
    { viewBox: "0 0 108 18", width: 108, height: 18, role: "img", "aria-label": `${rings} rings` },
    ...circles,
  );
}

/** Returns the number of a player's rings beside one of them, where six in a row have no room. */
export function ringCount(rings, color) {
  const ring = makeSvg("circle", {
    ...{ cx: 8, cy: 8, r: 5.5, fill: "none", "stroke-width": 3.2 },
    stroke: rings ? color : "var(--muted)",
    "stroke-dasharray": rings ? null : "2.5 2.5",
  });
  const picture = makeSvg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, ring);
  return make("span", { class: "ring-count", title: fill(words.table.rings, rings) }, picture, String(rings));
}

/** Returns a padlock. */
export function lock() {
  const shape = "M3 6V4.5a3 3 0 0 1 6 0V6h1v6H2V6zm1.5 0h3V4.5a1.5 1.5 0 0 0-3 0z";
  const path = makeSvg("path", { d: shape, fill: "currentColor" });
  const size = { viewBox: "0 0 12 13", width: 10, height: 11 };
  return makeSvg("svg", { ...size, class: "lock", "aria-hidden": "true" }, path);
}

/** Returns a picture that the server drew in a box of 40 × 40. */
export function boxPicture(markup, size, label) {
  const svg = makeSvg("svg", { viewBox: "0 0 40 40", width: size, height: size, class: "crest" });
  svg.append(drawn(markup));
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else {
    svg.setAttribute("aria-hidden", "true");
  }
  return svg;
}
