import assert from "node:assert/strict";
import test from "node:test";

import * as geometry from "#static/common/geometry.js";

const CELLS = [0, 1, 2, 3].flatMap((row) => [0, 1, 2, 3].map((col) => [row, col]));

test("cells and axial hexes are inverse", () => {
  for (const cell of CELLS) assert.deepEqual(geometry.toCell(geometry.toAxial(cell)), cell);
});

test("neighbours are mutual, and one hex away in the drawing", () => {
  for (const cell of CELLS) {
    geometry.neighbors(cell).forEach((other, direction) => {
      assert.deepEqual(geometry.neighbors(other)[(direction + 3) % 6], cell);
      const [[x, y], [x2, y2]] = [cell, other].map(geometry.toAxial).map(geometry.axialPoint);
      assert.ok(Math.abs(Math.hypot(x - x2, y - y2) - 1) < 1e-9);
    });
  }
});

test("six turns of 60 degrees bring a shape back, fewer do not", () => {
  const shape = [[0, 0], [1, 0], [1, 1]];
  const keys = [0, 1, 2, 3, 4, 5, 6].map((times) =>
    geometry.shapeKey(geometry.rotated(shape, times)));
  assert.equal(keys[6], keys[0]);
  assert.equal(new Set(keys).size, 6);
});

test("the key of a shape ignores its place and its order", () => {
  const moved = [[4, 3], [3, 3]];
  assert.equal(geometry.shapeKey(moved), geometry.shapeKey([[0, 0], [1, 0]]));
  assert.notEqual(geometry.shapeKey(moved), geometry.shapeKey([[0, 0], [0, 1]]));
});

test("the middle is the mean of points", () => {
  assert.deepEqual(geometry.middle([[0, 0], [2, 4]]), [1, 2]);
});

test("a hex has six corners at equal distance", () => {
  const corners = geometry.corners([10, 20], Math.sqrt(3)).split(" ");
  assert.equal(corners.length, 6);
  for (const [x, y] of corners.map((text) => text.split(",").map(Number))) {
    assert.ok(Math.abs(Math.hypot(x - 10, y - 20) - 1) < 0.01);
  }
});
