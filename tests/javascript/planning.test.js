import assert from "node:assert/strict";
import test from "node:test";

import { boxAround } from "#static/gonzaga/cards.js";
import { Kept } from "#static/gonzaga/kept.js";
import { outline } from "#static/gonzaga/pieces.js";
import { Refusals, refusalWords } from "#static/gonzaga/refusals.js";
import { Spots, plannedSpots, plansOver } from "#static/gonzaga/spots.js";

const turn = {
  fief: { number: 1, cells: [[0, 0], [1, 0], [0, 1]], castles: [[0, 1]] },
  spots: [
    { card: "B", regions: ["Alpha"], spots: [[0, 2, 2, 6], [1, 2, 2, 3]] },
    { card: "A", regions: ["Alpha", "Beta"], spots: [[3, 4, 4, 9]] },
  ],
};

test("rows of a planning turn become placements with their hexes and castles", () => {
  const found = plannedSpots(turn);
  assert.equal(found.length, 3);
  assert.deepEqual(found[0].cells, [[2, 2], [2, 3], [3, 2]]);
  assert.deepEqual(found[0].castles, [[3, 2]]);
  assert.deepEqual(found[1].cells[0], [2, 2]); // the first cell stays, the others turn
  assert.deepEqual([found[2].card, found[2].regions, found[2].points], ["A", ["Alpha", "Beta"], 9]);
});

const board = {
  hexWidth: 1,
  pointOf: ([row, col]) => [col + (row & 1) / 2, (row * Math.sqrt(3)) / 2],
  under: () => null,
};

test("a hex offers the plans that open a spot there, best first", () => {
  const plans = [
    { region: "Alpha", card: "A", privilege: false, spots: 1 },
    { region: "Alpha", card: "B", privilege: false, spots: 2 },
    { region: "Alpha", card: "B", privilege: true, spots: 2 },
    { region: "Beta", card: "A", privilege: false, spots: 7 },
  ];
  const { placements } = new Spots(turn.fief, plannedSpots(turn), board);
  const over = (cell) =>
    plansOver(placements, plans, cell, board.pointOf(cell)).map(({ region, card, spot }) => [region, card, spot]);
  assert.deepEqual(over([2, 2]), [["Alpha", "B", placements[0]]]); // of two spots, that with more points
  assert.deepEqual(over([4, 4]), [["Beta", "A", placements[2]], ["Alpha", "A", placements[2]]]);
  assert.deepEqual(over([9, 9]), []);
});

test("a spot is kept for its round and seat only", (context) => {
  const stored = new Map();
  globalThis.localStorage = /** @type {any} */ ({
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => stored.set(name, value),
  });
  context.after(() => delete globalThis.localStorage);
  const [one, other] = plannedSpots(turn);
  new Kept("t", 0, 3).spot = one;
  assert.equal(new Kept("t", 0, 3).among([other, one]), one);
  assert.equal(new Kept("t", 0, 3).among([other]), undefined);
  assert.equal(new Kept("t", 0, 3).spot.rotation, one.rotation);
  for (const elsewhere of [new Kept("t", 0, 4), new Kept("t", 1, 3), new Kept("u", 0, 3)]) {
    assert.equal(elsewhere.spot, null);
  }
  new Kept("t", 0, 3).spot = null;
  assert.equal(new Kept("t", 0, 3).spot, null);
});

const view = { players: [{ seat: 0, name: "Ada" }, { seat: 1, name: "Bo" }] };

test("every refusal is said in words, with its rule", () => {
  const said = (refusal) => refusalWords({ rule: "R4.3", text: "other", ...refusal }, view, 0);
  assert.equal(said({ kind: "off_map" }), "off the map (R4.3)");
  assert.equal(said({ kind: "castle", sea: "Mare Balticum" }),
    "a castle would stand in the sea (Mare Balticum) (R4.3)");
  assert.equal(said({ kind: "barrier", barrier: "Alpes" }),
    "a barrier lies between its hexes (Alpes) (R4.3)");
  assert.equal(said({ kind: "taken", seat: 1 }), "a fief of Bo lies there (R4.3)");
  assert.equal(said({ kind: "taken", seat: 0 }), "a fief of yours lies there (R4.3)");
  const sites = (card, cities, harbors) => said({ kind: "sites", card, cities, harbors });
  assert.equal(sites("A", ["Roma"], ["Genova"]), "card A allows no city (Roma) (R4.3)");
  assert.equal(sites("A", [], []), "card A needs a harbor (R4.3)");
  assert.equal(sites("B", [], ["Genova", "Napoli"]), "card B allows no harbor (Genova and Napoli) (R4.3)");
  assert.equal(sites("C", ["Roma"], []), "card C needs a harbor, too (R4.3)");
  assert.equal(sites("C", [], ["Genova"]), "card C needs a city, too (R4.3)");
  assert.equal(sites("C", [], []), "card C needs a city and a harbor (R4.3)");
  assert.equal(said({ kind: "region", region: "Italia", regions: ["Italia"] }),
    "no hex of it lies in Italia (R4.3)");
  assert.equal(said({ kind: "region", region: "inactive", regions: ["Francia", "Italia"] }),
    "no hex of it lies in an inactive region (Francia and Italia) (R4.3)");
  assert.equal(said({ kind: "few_rings", needed: 2, left: 1 }), "it takes 2 rings; you have 1 (R4.3)");
  assert.equal(said({ kind: "ringed", seat: 1 }), "a ring of Bo lies there (R4.3)");
  for (const kind of ["own_ring", "no_alliance", "apart", "own_fief", "played", "no_ring"]) {
    assert.notEqual(said({ kind, card: "B" }), "other (R4.3)");
  }
  assert.equal(said({ kind: "something new" }), "other (R4.3)");
});

test("the last question alone is asked, and each only once", async (context) => {
  const [waits, asked, told] = [[], [], []];
  context.mock.method(globalThis, "setTimeout", (act) => waits.push(act));
  context.mock.method(globalThis, "clearTimeout", () => waits.splice(0));
  const refusals = new Refusals(async (query) => {
    asked.push(query.at);
    return { kind: "off_map" };
  });
  const fief = (row) => ({ rotation: 0, cells: [[row, 0]] });
  for (const row of [1, 2, 3]) refusals.ofFief(fief(row), (refusal) => told.push(refusal));
  await waits[0]();
  assert.deepEqual([asked, told.length], [["3,0"], 1]);
  refusals.ofFief(fief(3), (refusal) => told.push(refusal));
  assert.deepEqual([asked.length, told.length], [1, 2]);
});

test("an answer that comes too late is not told", async (context) => {
  const waits = [];
  context.mock.method(globalThis, "setTimeout", (act) => waits.push(act));
  context.mock.method(globalThis, "clearTimeout", () => {});
  const refusals = new Refusals(async () => null);
  refusals.ofRings({ cells: [[1, 1]] }, () => assert.fail("the pointer is elsewhere"));
  const answering = waits[0]();
  refusals.stop();
  await answering;
});

test("the box around silhouettes holds all of them", () => {
  assert.deepEqual(boxAround(["M0 0L10 0L10 5Z", "M20 -5L30 5.5Z"], 1), [-1, -6, 32, 12.5]);
});

test("the line around hexes has every side that they do not share", () => {
  const corners = "N NE SE S SW NW";
  const hexes = new Map(["2,2", "2,3"].map((name) => [name, { corners }]));
  const sides = (cells) => outline({ hexes }, cells).split("M").length - 1;
  assert.equal(sides([[2, 2]]), 6);
  assert.equal(sides([[2, 2], [2, 3]]), 10);
  const alone = outline({ hexes }, [[2, 2], [2, 3]]);
  assert.equal(alone.match(/MNELSE/g).length, 1); // the east side of the eastern hex only
});
