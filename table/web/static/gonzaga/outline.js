// The line around a set of hexes.

import { key, neighbors } from "../common/geometry.js";

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
