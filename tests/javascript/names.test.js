import assert from "node:assert/strict";
import test from "node:test";

import { placedNames } from "#static/gonzaga/names.js";

const name = (x, more = {}) => ({ x, y: 22, size: 19, width: 60, ...more });
const nameSizes = (...given) => placedNames(...given).map(({ size }) => size);
const mark = (x) => ({ x, y: -10, radius: 12 });

test("names are shown at ten pixels or more, or not at all", () => {
  for (let pixels = 0.05; pixels < 4; pixels += 0.05) {
    const [size] = nameSizes([name(0)], [mark(0)], pixels);
    assert.ok(size === 0 || size * pixels > 9.99, `${size * pixels} px`);
    assert.ok(size * pixels < 19 + 1e-9 || size * pixels <= 17.01);
  }
  assert.equal(nameSizes([name(0)], [mark(0)], 0.2)[0], 0); // a hex of 15 pixels has no room for it
  assert.equal(nameSizes([name(0)], [mark(0)], 0.8)[0], 19); // as drawn
});

test("of two names that meet, the more important one stays, then the larger one", () => {
  const marks = [mark(0), mark(50)];
  assert.deepEqual(nameSizes([name(0), name(50, { size: 20 })], marks, 0.8), [0, 20]);
  assert.deepEqual(nameSizes([name(0, { first: true }), name(50, { size: 20 })], marks, 0.8), [19, 0]);
  assert.deepEqual(nameSizes([name(0), name(90)], [mark(0), mark(90)], 0.8), [19, 19]);
});

test("no name covers the mark of another site", () => {
  const below = { x: 20, y: 30, radius: 12 };
  const far = name(400);
  assert.deepEqual(nameSizes([name(0), far], [mark(0), below], 0.8), [0, 19]);
});

test("a name grows down from its upper edge, and stays on the map", () => {
  const [{ x, y, size }] = placedNames([name(0)], [mark(0)], 10 / 38, [-20, 200]);
  assert.equal(size, 38);
  assert.ok(Math.abs(y - 0.78 * size - (22 - 0.78 * 19)) < 1e-9);
  assert.equal(x, 40); // half of its width of 120, from the side
});
