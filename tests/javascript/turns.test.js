import assert from "node:assert/strict";
import test from "node:test";

import { key } from "#static/common/geometry.js";
import { Kept } from "#static/gonzaga/kept.js";
import { Placing } from "#static/gonzaga/placing.js";
import { Planning } from "#static/gonzaga/planning.js";
import { element, withDocument } from "./elements.js";

const SIZE = 6;
const fief = { number: 4, cells: [[0, 0], [1, 0]], castles: [[1, 0]] };

/** Returns a map of six rows and columns, in whose upper half lies Alpha, in the lower one Beta. */
function fakeBoard() {
  const cells = Array.from({ length: SIZE * SIZE }, (_, i) => [Math.floor(i / SIZE), i % SIZE]);
  const hexes = cells.map((cell) => ({ cell, region: cell[0] < 3 ? "Alpha" : "Beta" }));
  const pointOf = ([row, col]) => [col + (row & 1) / 2, (row * Math.sqrt(3)) / 2];
  const nearest = ([x, y]) => {
    const far = ({ cell }) => Math.hypot(pointOf(cell)[0] - x, pointOf(cell)[1] - y);
    return hexes.reduce((best, hex) => (far(hex) < far(best) ? hex : best));
  };
  return {
    data: { hexes, sites: [], regions: [], colors: { players: ["red", "blue"] } },
    sites: new Map([["1,1", { name: "Roma" }]]),
    shown: /** @type {Record<string, any[]>} */ ({}),
    layers: { ghost: element() },
    cursorCell: [0, 0],
    hexWidth: 1,
    handlers: /** @type {any} */ ({}),
    pointOf,
    nearest,
    under: nearest,
    pixels: () => 1,
    describe: key,
    polygon: (cell, attributes) => ({ cell, ...attributes }),
    polygonAt: (at, attributes) => ({ cell: nearest(at).cell, ...attributes }),
    showSpots(cells) {
      this.show("spots", ...cells.map((cell) => this.polygon(cell, {})));
    },
    show(name, ...shapes) {
      this.shown[name] = shapes;
    },
    clear(...names) {
      for (const name of names) this.shown[name] = [];
    },
  };
}

const plan = { region: "Alpha", action: "A", privilege: false };
const view = {
  flourishing: ["Alpha", "Beta"],
  inactive: [],
  round: 1,
  players: [{ seat: 0, name: "Ada", plan }, { seat: 1, name: "Bo", plan: null }],
};

/** Returns what a turn is opened with, and what was played and asked. */
function opened(Turn, turn, refusal = null) {
  const [board, played, asked] = [fakeBoard(), [], []];
  const ask = (query, tell) => {
    asked.push(query);
    tell(refusal);
  };
  const choice = new Turn({
    ...{ turn, view, seat: 0, board, color: "red", takeBack: null, plans: "", guide() {} },
    refusals: { ofFief: ask, ofRings: ask, stop() {} },
    kept: new Kept("t", 0, 1),
    play: (action) => played.push(action),
  });
  choice.open(element());
  return { choice, board, played, asked };
}

const cellsIn = (board, layer) => (board.shown[layer] ?? []).map(({ cell }) => key(cell)).sort();

// Planning.

const plans = ["Alpha", "Beta"].flatMap((region, i) => [
  { action: 10 + i, region, card: "A", privilege: false, spots: 1, best: 6, weddings: 0 },
  { action: 20 + i, region, card: "B", privilege: false, spots: 0, best: null, weddings: 0 },
]);
const planning = {
  fief,
  plans,
  held: [{ deck: "action", card: "C", refusal: { kind: "played", rule: "R3.3", text: "" } }],
  spots: [
    { card: "A", regions: ["Alpha"], spots: [[0, 1, 1, 6]] },
    { card: "A", regions: ["Beta"], spots: [[0, 4, 1, 3]] },
  ],
};

test("keys choose cards, the map shows what they allow, and Enter seals the plan", (context) => {
  withDocument(context);
  const { choice, board, played } = opened(Planning, planning);
  assert.equal(choice.confirm.disabled, true);
  choice.onKey("Enter", false);
  assert.deepEqual(played, []);
  choice.onKey("1", false);
  assert.deepEqual(cellsIn(board, "spots"), ["1,1", "1,2"]);
  choice.onKey("b", false);
  assert.deepEqual(cellsIn(board, "spots"), []);
  choice.onKey("a", false);
  assert.equal(choice.confirm.disabled, false);
  choice.onKey("Enter", false);
  assert.deepEqual(played, [10]);
});

test("a card that may not be played cannot be chosen, and says why", (context) => {
  withDocument(context);
  const { choice } = opened(Planning, planning);
  choice.onKey("c", false);
  assert.equal(choice.choice.action, null);
  const held = choice.hand.cards.find(({ deck, value }) => deck === "action" && value === "C");
  assert.match(held.locked.whole, /R3\.3/);
});

test("a click on the map chooses the best plan there; its spot stays until it is forgotten", (context) => {
  withDocument(context);
  const { choice, board, asked, played } = opened(Planning, planning);
  board.handlers.pick(board.pointOf([1, 1]));
  assert.deepEqual(choice.choice, { region: "Alpha", action: "A", privilege: false });
  assert.equal(new Kept("t", 0, 1).among(choice.all), choice.all[0]);
  board.handlers.pick(board.pointOf([4, 2]));
  assert.equal(choice.choice.region, "Beta");
  choice.onKey("1", false); // Alpha does not allow it
  assert.equal(board.layers.ghost.classList.contains("unfit"), true);
  board.handlers.pick(board.pointOf([5, 5])); // no plan opens it
  assert.equal(asked.length, 1);
  choice.onKey("Escape", false);
  assert.deepEqual([choice.chosen, choice.choice.region, choice.choice.action], [null, "Alpha", null]);
  assert.equal(new Kept("t", 0, 1).spot, null);
  board.cursorCell = [1, 2];
  board.handlers.cursor(board.cursorCell);
  choice.onKey("Enter", true); // chooses, then seals
  assert.deepEqual(played, []);
  choice.onKey("Enter", true);
  assert.deepEqual(played, [10]);
});

test("a puzzle may hide the spots: the map then chooses regions alone", (context) => {
  withDocument(context);
  const { choice, board } = opened(Planning, { ...planning, spots: null });
  board.handlers.pick(board.pointOf([4, 1]));
  assert.equal(choice.choice.region, "Beta");
  assert.equal(choice.onKey("n", false), false);
});

// Placing.

const placed = (action, points, ...cells) => ({
  ...{ action, points, kind: "fief", rotation: 0, cells, castles: [cells[1]], sites: [], leagues: [] },
});
const ringed = (action, ...cells) => ({ ...placed(action, 1, ...cells), kind: "wedding", castles: [] });
const donation = { ...ringed(99), kind: "donation", points: 3 };
const spots = [placed(1, 3, [1, 1], [1, 2]), placed(2, 9, [4, 1], [4, 2]), placed(3, 6, [1, 4], [2, 4])];
const placing = (...placements) => ({ fief, placements });

test("n and p walk over the spots, the best first; Esc takes back, Enter plays", (context) => {
  withDocument(context);
  const { choice, board, played } = opened(Placing, placing(...spots, donation));
  assert.equal(choice.confirm.disabled, true);
  const actions = ["n", "n", "n", "n", "p"].map((name) => {
    choice.onKey(name, false);
    return choice.chosen.action;
  });
  assert.deepEqual(actions, [2, 3, 1, 2, 1]);
  assert.equal(choice.pending, true);
  choice.onKey("Escape", false);
  assert.deepEqual([choice.pending, board.shown.chosen], [false, []]);
  choice.onKey("d", false);
  choice.onKey("Enter", false);
  assert.deepEqual(played, [99]);
});

test("the fief snaps to a legal spot; elsewhere the server says why not", (context) => {
  withDocument(context);
  const refusal = { kind: "off_map", rule: "R4.3", hexes: [[5, 0]] };
  const { choice, board, asked, played } = opened(Placing, placing(...spots), refusal);
  board.handlers.pick(board.pointOf([4, 1]));
  assert.equal(choice.chosen.action, 2);
  board.handlers.pick(board.pointOf([5, 5]));
  assert.equal(choice.chosen, null);
  assert.equal(asked.length > 0, true);
  assert.match(choice.said.textContent, /off the map \(R4\.3\)/);
  board.cursorCell = [1, 1];
  board.handlers.cursor(board.cursorCell);
  choice.onKey("Enter", true); // chooses what is under the cursor
  assert.equal(choice.chosen.action, 1);
  choice.onKey("r", false); // no other rotation is legal there
  assert.equal(choice.chosen, null);
  assert.equal(choice.onKey("x", false), false);
  assert.deepEqual(played, []);
});

test("the spot that was kept is offered, or the server says what is wrong with it now", (context) => {
  withDocument(context);
  new Kept("t", 0, 1).spot = spots[0];
  assert.equal(opened(Placing, placing(...spots)).choice.chosen.action, 1);
  const refusal = { kind: "taken", seat: 1, rule: "R4.3", hexes: [[1, 1]] };
  const { choice, board } = opened(Placing, placing(spots[1]), refusal);
  assert.equal(choice.chosen, null);
  assert.match(choice.said.textContent, /Bo.*R4\.3/);
  assert.deepEqual(board.shown.preview.map((shape) => shape.class), ["illegal wrong", "illegal"]);
});

test("rings of a wedding are chosen one by one", (context) => {
  withDocument(context);
  const weddings = [ringed(50, [1, 1]), ringed(51, [1, 1], [1, 2]), ringed(52, [4, 4])];
  const refusal = { kind: "own_ring", rule: "R5.2", hexes: [], text: "" };
  const { choice, board, played, asked } = opened(Placing, placing(...weddings, donation), refusal);
  assert.equal(choice.mode, "wedding"); // no fief can be placed
  const pick = (cell) => board.handlers.pick(board.pointOf(cell));
  pick([1, 1]);
  assert.equal(choice.chosen.action, 50);
  pick([1, 2]);
  assert.equal(choice.chosen.action, 51);
  pick([1, 1]); // taken back
  assert.equal(choice.chosen, null);
  pick([3, 3]);
  assert.deepEqual(asked.at(-1), { cells: [[1, 2], [3, 3]] });
  pick([4, 4]);
  choice.submit();
  assert.deepEqual(played, [52]);
});

test("what alone is left is chosen at once", (context) => {
  withDocument(context);
  const { choice, played } = opened(Placing, placing(donation));
  choice.confirm.click();
  assert.deepEqual(played, [99]);
});
