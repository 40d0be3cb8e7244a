// Pieces and badges drawn on the map, above those of the server.

import { makeSvg } from "./dom.js";
import { castle } from "./shapes.js";

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
export function badge([x, y], text, radius, style = "") {
  return makeSvg(
    "g",
    { class: `badge ${style}` },
    makeSvg("circle", { cx: x, cy: y, r: radius }),
    makeSvg("text", { x, y: y + 8 }, text),
  );
}
