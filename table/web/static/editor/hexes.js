// The hex grid in the editor's units, and what lies around a hex.

import { neighbors } from "../common/geometry.js";

export const WIDTH = 40; // of a hex, in units of the drawing
const RADIUS = WIDTH / Math.sqrt(3);
const PITCH = (WIDTH * Math.sqrt(3)) / 2;
export const SIDE_KEYS = { d: 0, x: 1, z: 2, a: 3, w: 4, e: 5 }; // as they lie on a keyboard

export const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/** @param {number[]} cell */
export function center([row, col]) {
  return [WIDTH * (col + 0.5 + 0.5 * (row & 1)), RADIUS + PITCH * row];
}

/** Returns the corners of a hex from the north, clockwise. */
export function corners(cell, scale = 1) {
  const [x, y] = center(cell);
  return [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = (Math.PI / 3) * i;
    return [x + scale * RADIUS * Math.sin(angle), y - scale * RADIUS * Math.cos(angle)];
  });
}

export const points = (list) =>
  list.map((point) => point.map((v) => v.toFixed(2)).join()).join(" ");

/** Returns both ends of the side in a direction; side i + 1 follows corner i + 1. */
export function side(cell, direction) {
  const around = corners(cell);
  return [around[(direction + 1) % 6], around[(direction + 2) % 6]];
}

/** Returns the side between two neighbours; undefined if they are none. */
export function sideBetween(one, other) {
  const direction = neighbors(one).findIndex((cell) => same(cell, other));
  return direction < 0 ? undefined : side(one, direction);
}

/**
 * Returns the direction from the middle of a hex towards a point.
 *
 * @param {number[]} cell
 * @param {number[]} point
 */
export function directionTo(cell, [x, y]) {
  const [cx, cy] = center(cell);
  return (Math.round(Math.atan2(y - cy, x - cx) / (Math.PI / 3)) + 6) % 6;
}

export function extent(rows, columns) {
  return [WIDTH * (columns + 0.5), PITCH * (rows - 1) + 2 * RADIUS];
}

/**
 * Returns the cell that an arrow key leads to; null for other keys.
 *
 * @param {number[]} cell
 * @param {string} key
 */
export function moved([row, col], key) {
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  return steps[key] ? [row + steps[key][0], col + steps[key][1]] : null;
}
