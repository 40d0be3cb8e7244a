// How docs/_static/tables.js orders the rows of a table. It is a plain script, since pages opened from
// a disk load no modules; so its functions are taken from a context of their own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { createContext, runInContext } from "node:vm";

const context = createContext({});
runInContext(readFileSync(new URL("../../docs/_static/tables.js", import.meta.url), "utf8"), context);
const { numberIn, orderOf, directionsOf } = context;

const sorted = (texts, direction) => Array.from(orderOf(texts, direction), (i) => texts[i]);
const plain = (value) => JSON.parse(JSON.stringify(value));

test("numbers are read with commas, signs, percent and intervals", () => {
  for (const [text, value] of [
    ["1580", 1580], ["80.6%", 80.6], ["10,400", 10400], ["-362", -362], ["−0.5", -0.5], [".5", 0.5],
    ["50.7 % (46.1 to 55.0)", 50.7], ["99.9 ± 7.1", 99.9], ["1545 to 1619", 1545],
  ]) assert.deepEqual(plain(numberIn(text)), { value, side: 0 }, text);
  for (const text of ["anchor", "open", "", "search@64", "·"]) assert.equal(numberIn(text), null, text);
});

test("a bound lies beside its number", () => {
  assert.deepEqual(sorted(["133", "at least 133", "at most 133", "132"], 1),
    ["132", "at most 133", "133", "at least 133"]);
  assert.deepEqual(sorted(["0.1%", "< 0.1%", "5%"], -1), ["5%", "0.1%", "< 0.1%"]);
});

test("cells without a number come last in both orders, as on the page", () => {
  const intervals = ["1545 to 1619", "1460 to 1532", "anchor", "open", "1471 to 1549"];
  assert.deepEqual(sorted(intervals, 1),
    ["1460 to 1532", "1471 to 1549", "1545 to 1619", "anchor", "open"]);
  assert.deepEqual(sorted(intervals, -1),
    ["1545 to 1619", "1471 to 1549", "1460 to 1532", "anchor", "open"]);
});

test("names are ordered as people count", () => {
  assert.deepEqual(sorted(["search@64", "search@8", "greedy", "search@64:learned"], 1),
    ["greedy", "search@8", "search@64", "search@64:learned"]);
});

test("equal rows keep the page's order", () => {
  assert.deepEqual(plain(orderOf(["2", "1", "2", "1"], -1)), [0, 2, 1, 3]);
});

test("the first click changes the order, the third restores it", () => {
  assert.deepEqual(plain(directionsOf(["1", "2", "3"])), [-1, 1, 0]);
  assert.deepEqual(plain(directionsOf(["3", "2", "1"])), [1, -1, 0]);
  assert.deepEqual(plain(directionsOf(["c", "a", "b"])), [1, -1, 0]);
});
