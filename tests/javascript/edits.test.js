import assert from "node:assert/strict";
import test from "node:test";

import * as edits from "#static/editor/edits.js";
import { neighbors } from "#static/common/geometry.js";
import { Store } from "#static/editor/store.js";

/** Returns a map of 4 × 4: two regions, a sea, a city, a harbor and a barrier. */
const example = () => ({
  map: ["AABB", "AABB", "AA11", "A111"].map((row) => [...row]),
  regions: [["A", "Alpha"], ["B", "Beta"]],
  seas: [["1", "First Sea"]],
  city: [{ name: "Town", at: [1, 1], symbol: "crown" }],
  harbor: [{ name: "Port", at: [2, 1], sea: "First Sea" }],
  barrier: [{ name: "Wall", edges: [[[0, 1], [0, 2]]] }],
  scenario: [{ name: "One", players: 2, flourishing: ["Alpha", "Beta"] }],
  objective: [["crown", "rose"]],
});

const keys = (cells) => cells.map(String).sort();

test("a brush covers a hex, seven, or the whole area, and stays on the page", () => {
  const model = example();
  assert.deepEqual(edits.brushed(model, [1, 1], "one"), [[1, 1]]);
  assert.deepEqual(keys(edits.brushed(model, [1, 1], "seven")), keys([[1, 1], ...neighbors([1, 1])]));
  assert.equal(edits.brushed(model, [0, 0], "seven").length, 3);
  assert.equal(edits.brushed(model, [2, 2], "area").length, 5);
});

test("paint changes the marks of cells", () => {
  const model = example();
  edits.paint(model, [[0, 0], [3, 3]], "B");
  assert.deepEqual(model.map.map((row) => row.join("")), ["BABB", "AABB", "AA11", "A11B"]);
});

test("new sites take the last symbol, or the sea beside them", () => {
  const model = example();
  model.seas.unshift(["2", "Far Sea"]);
  assert.equal(edits.addSite(model, "city", [0, 0]), 1);
  assert.equal(model.city[1].symbol, "crown");
  edits.addSite(model, "harbor", [3, 0]);
  assert.equal(model.harbor[1].sea, "First Sea");
  assert.equal(edits.siteAt(model, "harbor", [3, 0]), 1);
});

test("a side is added once, in either direction, and removed from its barrier", () => {
  const model = example();
  edits.toggleSide(model, 5, [1, 2], [1, 1]);
  assert.deepEqual(model.barrier[0].edges.at(-1), [[1, 1], [1, 2]]);
  edits.toggleSide(model, 0, [0, 2], [0, 1]);
  assert.deepEqual(model.barrier[0].edges, [[[1, 1], [1, 2]]]);
});

test("a name is changed wherever it is used", () => {
  const model = example();
  edits.rename(model, "seas", 0, "Inner Sea");
  edits.rename(model, "regions", 1, "Gamma");
  edits.renameSymbol(model, "crown", "lily");
  assert.equal(model.harbor[0].sea, "Inner Sea");
  assert.deepEqual(model.scenario[0].flourishing, ["Alpha", "Gamma"]);
  assert.equal(edits.nameOf(model, "B"), "Gamma");
  assert.deepEqual([model.city[0].symbol, model.objective[0]], ["lily", ["lily", "rose"]]);
});

test("a mark is changed on the map too, unless it is taken or blank", () => {
  const model = example();
  for (const mark of ["", " ", ".", "B", "1"]) {
    assert.equal(edits.changeMark(model, "regions", 0, mark), false);
  }
  assert.equal(edits.changeMark(model, "regions", 0, "Z"), true);
  assert.equal(model.map[3].join(""), "Z111");
});

test("terrain gets a free mark, and leaves the map with its list", () => {
  const model = example();
  assert.equal(edits.addTerrain(model, "regions"), "C");
  assert.equal(edits.addTerrain(model, "seas"), "2");
  edits.removeTerrain(model, "regions", 1);
  assert.equal(model.map[0].join(""), "AA..");
});

/** Returns the marks around every site, clockwise from east. */
const around = (model) =>
  [...model.city, ...model.harbor].map(({ at }) =>
    neighbors(at).map((cell) => edits.markAt(model, cell)).join(""));

test("rows and columns come and go, and neighbours stay neighbours", () => {
  for (const edge of ["top", "bottom", "left", "right"]) {
    const model = example();
    edits.grow(model, edge);
    const size = [edits.height(model), edits.width(model)];
    assert.deepEqual(size, { top: [5, 5], bottom: [5, 4] }[edge] ?? [4, 5], edge);
    assert.deepEqual(around(model), around(example()), edge);
    const [one, other] = model.barrier[0].edges[0];
    assert.ok(neighbors(one).some((cell) => String(cell) === String(other)), edge);
    edits.shrink(model, edge);
    assert.deepEqual(model.map.map((row) => row.slice(0, 4)), example().map, edge);
    assert.deepEqual(model.harbor, example().harbor, edge);
  }
});

test("what lies on a removed row goes with it", () => {
  const model = example();
  edits.shrink(model, "top");
  assert.deepEqual(model.barrier[0].edges, []);
  assert.equal(model.city.length, 1);
});

test("an entry moves up, the first one stays", () => {
  const list = [1, 2, 3];
  edits.moveUp(list, 2);
  edits.moveUp(list, 0);
  assert.deepEqual(list, [1, 3, 2]);
});

test("the store undoes and redoes; a gesture is one step", () => {
  const kept = [];
  const store = new Store();
  store.draft = /** @type {any} */ ({ keep: (model) => (kept[0] = JSON.stringify(model)), renew() {} });
  store.load({ number: 0 });
  store.edit((model) => (model.number = 1), "drag");
  store.edit((model) => (model.number = 2), "drag");
  store.edit((model) => (model.number = 3));
  store.edit((model) => model);
  store.undo();
  assert.equal(store.model.number, 2);
  store.undo();
  assert.equal(store.model.number, 0);
  store.undo();
  store.redo();
  store.redo();
  assert.equal(store.model.number, 3);
  assert.deepEqual(kept, ['{"number":3}']);
});

test("a history has limits of its steps and of their length", async () => {
  const { push } = await import("#static/editor/store.js");
  const steps = [];
  for (let i = 0; i < 10; i += 1) push(steps, `step ${i}`, 4);
  assert.deepEqual(steps, ["step 6", "step 7", "step 8", "step 9"]);
  push(steps, "x".repeat(20), 4, 33);
  assert.deepEqual(steps, ["step 8", "step 9", "x".repeat(20)]);
  push(steps, "y".repeat(99), 4, 33);
  assert.equal(steps.length, 1); // the last one always stays
});
