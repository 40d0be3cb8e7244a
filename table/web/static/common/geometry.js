// Hexes: cells are [row, column] with odd rows half a hex to the east; shapes are axial [q, r].

export const key = (cell) => `${cell[0]},${cell[1]}`;

/** @param {number[]} cell */
export const toAxial = ([row, col]) => [col - (row - (row & 1)) / 2, row];
/** @param {number[]} shape */
export const toCell = ([q, r]) => [r, q + (r - (r & 1)) / 2];

/** Returns a shape turned by `times` × 60° clockwise: (q, r) -> (-r, q + r). */
export function rotated(shape, times) {
  let turned = shape;
  for (let i = 0; i < times; i += 1) turned = turned.map(([q, r]) => [-r, q + r]);
  return turned;
}

/** Returns a text that is equal for shapes which cover the same hexes after a shift. */
export function shapeKey(shape) {
  const sorted = [...shape].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const [q0, r0] = sorted[0];
  return sorted.map(([q, r]) => `${q - q0},${r - r0}`).join(" ");
}

/** Returns the six neighbours of a cell: E, SE, SW, W, NW, NE. */
export function neighbors(cell) {
  const [q, r] = toAxial(cell);
  const steps = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];
  return steps.map(([dq, dr]) => toCell([q + dq, r + dr]));
}

/**
 * Returns the centre of an axial hex in units of a hex's width.
 *
 * @param {number[]} hex
 */
export const axialPoint = ([q, r]) => [q + r / 2, (r * Math.sqrt(3)) / 2];

/** Returns the mean of points. */
export function middle(points) {
  const sum = points.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

/**
 * Returns the corners of a pointed hex as SVG points.
 *
 * @param {number[]} center
 * @param {number} width
 */
export function corners([x, y], width) {
  const radius = width / Math.sqrt(3);
  return [0, 1, 2, 3, 4, 5]
    .map((i) => {
      const angle = (Math.PI / 3) * i - Math.PI / 6;
      return `${(x + radius * Math.cos(angle)).toFixed(2)},${(y + radius * Math.sin(angle)).toFixed(2)}`;
    })
    .join(" ");
}
