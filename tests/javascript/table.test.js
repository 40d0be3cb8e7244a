import assert from "node:assert/strict";
import test from "node:test";

import { key, toAxial, toCell } from "#static/common/geometry.js";
import * as words from "#static/common/words.js";
import { advice } from "#static/gonzaga/coach.js";
import { Playback } from "#static/table/playback.js";
import { Spots } from "#static/gonzaga/spots.js";
import { Wedding } from "#static/gonzaga/wedding.js";

/** A board of 4 × 4 hexes of width 1, of which the first column is sea. */
const board = {
  hexWidth: 1,
  hexes: new Map([0, 1, 2, 3].flatMap((row) => [0, 1, 2, 3].map((col) =>
    [`${row},${col}`, { cell: [row, col], region: col ? "Alpha" : null }]))),
  sites: new Map([["1,1", { kind: "city" }], ["2,1", { kind: "harbor" }]]),
  pointOf: ([row, col]) => [col + (row & 1) / 2, (row * Math.sqrt(3)) / 2],
  nearest: (at) => board.under(at),
  under([x, y]) {
    const distance = ({ cell }) => Math.hypot(board.pointOf(cell)[0] - x, board.pointOf(cell)[1] - y);
    return [...board.hexes.values()].sort((a, b) => distance(a) - distance(b))[0];
  },
};

const fief = { number: 1, cells: [[0, 0], [1, 0]], castles: [] };
const spot = (action, points, ...cells) => ({ kind: "fief", action, points, cells });
const spots = () =>
  new Spots(fief, [
    spot(1, 3, [1, 1], [1, 2]),
    spot(2, 6, [2, 2], [2, 3]),
    spot(3, 1, [1, 1], [2, 1]),
    { kind: "donation", action: 9, points: 3, cells: [] },
  ], board);

test("turns are the distinct shapes of a fief, the best one first", () => {
  const { turns, placements } = spots();
  assert.equal(turns.length, 3); // two hexes look alike after half a turn
  assert.equal(placements.length, 3);
  assert.equal(spots().turnOf(placements[1]), spots().bestTurn());
});

test("the nearest spot is caught under the pointer or within reach", () => {
  const found = spots();
  const turn = found.bestTurn();
  assert.equal(found.nearest(turn, board.pointOf([1, 1]), 0.1).action, 1);
  assert.equal(found.nearest(turn, board.pointOf([2, 3]), 0.1).action, 2);
  assert.equal(found.nearest(turn, board.pointOf([3, 0]), 0.1), null);
});

test("the shape around a point covers it", () => {
  const found = spots();
  const cells = found.around(found.bestTurn(), board.pointOf([2, 2]));
  assert.ok(cells.map(key).includes("2,2"));
  assert.deepEqual(cells.map(toAxial).map(toCell), cells);
});

test("a wedding is chosen hex by hex", () => {
  const wedding = new Wedding([
    { kind: "wedding", action: 1, cells: [[0, 1]] },
    { kind: "wedding", action: 2, cells: [[0, 1], [0, 2]] },
    { kind: "fief", action: 3, cells: [[3, 3]] },
  ]);
  assert.ok(wedding.possible);
  assert.equal(wedding.toggle([3, 3]), false);
  assert.ok(wedding.toggle([0, 1]));
  assert.equal(wedding.on(wedding.cells).action, 1);
  assert.deepEqual(wedding.open(), [[0, 2]]);
  assert.ok(wedding.toggle([0, 2]));
  assert.equal(wedding.on(wedding.cells).action, 2);
  wedding.toggle([0, 2]);
  assert.deepEqual(wedding.cells, [[0, 1]]);
});

test("frames stay their time, and can be skipped", (context) => {
  const [shown, waits] = [[], []];
  context.mock.method(globalThis, "setTimeout", (act, time) => waits.push([act, time]));
  const frame = (number) => ({ number, own: true, lines: [{ text: "places" }] });
  const playback = new Playback({
    show: ({ number }) => shown.push(number),
    done: () => shown.push("done"),
  });
  playback.add([frame(1), frame(2), frame(3)]);
  assert.deepEqual(shown, [1]);
  assert.equal(waits[0][1], 350);
  waits[0][0]();
  assert.deepEqual(shown, [1, 2]);
  playback.skip();
  assert.deepEqual(shown, [1, 2, 3, "done"]);
  assert.deepEqual([playback.busy, playback.speed], [false, "normal"]);
});

test("the coach speaks of the stage and the round", () => {
  const key = (view, more = {}) =>
    advice({ view: { round: 1, players: [{}], ...view }, turn: null, seat: 0, ...more });
  const planning = { turn: { stage: "planning" } };
  const placing = { turn: { stage: "placing", placements: [{ kind: "fief" }] } };
  const blocked = { turn: { stage: "placing", placements: [{ kind: "donation" }] } };
  assert.equal(key({ decision: "over" }), "over");
  assert.equal(key({ decision: "place" }, placing), "place");
  assert.equal(key({ decision: "place" }, { ...placing, wedding: true, rings: true }), "wedding");
  assert.equal(key({ decision: "plan" }, { sealed: true }), "waiting");
  assert.equal(key({ decision: "plan" }, { sealed: false }), null); // nothing is sealed yet
  assert.equal(key({ decision: "plan" }, { seat: null }), "watching");
  assert.equal(key({ decision: "plan" }, planning), "plan");
  assert.equal(key({ round: 2, players: [{ locked: {} }] }, planning), "locked");
  assert.equal(key({ round: 6, last_round: true }, planning), "last");
  assert.equal(key({}, placing), "place");
  assert.equal(key({ round: 2 }, { ...placing, wedding: true }), "wedding");
  assert.equal(key({}, blocked), "blocked");
  assert.equal(key({}, { ...blocked, wedding: true }), "rings");
  assert.equal(key({ round: 7 }, placing), null);
});

test("plans, stages and players have words", () => {
  assert.equal(words.planWords({ region: "inactive", action: "A" }), "inactive region A");
  assert.equal(
    words.planWords({ region: "Alpha", action: "C", privilege: true }),
    "Alpha C + King’s Privilege",
  );
  assert.equal(words.stageWords({ decision: "over", round: 9 }), "Over after 9 rounds");
  assert.equal(words.stageWords({ decision: "place", round: 2 }), "Round 2 · placing");
  assert.equal(words.playerName({ seat: 1, name: "" }), "Player 2");
  assert.equal(words.playerName({ seat: 1, name: "greedy 2" }), "greedy 2");
  assert.equal(words.total({ scores: [1, 2, 3] }), 6);
});

