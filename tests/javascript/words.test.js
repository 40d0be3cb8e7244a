import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { cellsOf, choiceWords, lineWords } from "#static/common/events.js";
import { orderWords } from "#static/gonzaga/precedence.js";
import { sinceOwnMove } from "#static/common/since.js";
import { spoken } from "#static/common/log.js";
import { detailWords, tieWords, verdictWords } from "#static/table/final.js";
import { reasonWords, valueWords } from "#static/table/reasons.js";
import { fill } from "#static/words/index.js";
import en from "#static/words/en.json" with { type: "json" };

const FILES = new URL("../../table/web/static/words/", import.meta.url);

/** Returns the forms that a language has for numbers; "other" stands for rare ones. */
const formsOf = (code) =>
  [...new Set(["other", ...Array.from({ length: 200 }, (_, n) => new Intl.PluralRules(code).select(n))])].sort();

/** Returns the paths of all texts in a catalogue, each with its places. */
function shape(value, forms, path = "") {
  if (value.other) {
    assert.deepEqual(Object.keys(value).sort(), forms, path);
    value = value.other;
  }
  if (typeof value === "string") return [`${path} ${(value.match(/\{\w+\}/g) ?? []).sort()}`];
  return Object.entries(value).flatMap(([name, part]) => shape(part, forms, `${path}.${name}`));
}

for (const file of readdirSync(FILES).filter((name) => name.endsWith(".json"))) {
  test(`${file} says the same things as the English`, () => {
    const said = { ...JSON.parse(readFileSync(new URL(file, FILES), "utf8")), sentences: {} };
    assert.deepEqual(shape(said, formsOf(file.slice(0, -5))).sort(), shape(en, formsOf("en")).sort());
  });
}

test("places of texts are filled in any order", () => {
  assert.equal(fill("{1}, {0} and {0}", "a", "b"), "b, a and a");
  assert.equal(fill("{own}, {rival}", { rival: 0, own: "{rival}" }), "{rival}, 0");
  assert.equal(fill("{what}", {}), "{what}");
  assert.equal(fill("{1} of {0}", null, 2), "2 of {0}");
});

const view = { players: [{ seat: 0, name: "Ada" }, { seat: 1, name: "" }] };
const fief = {
  kind: "fief", fief: 5, cells: [[1, 1], [1, 2]], sites: ["Esplanade", "Lyon"],
  leagues: ["Mare Balticum"], points: 16,
};
const wedding = { kind: "wedding", cells: [[2, 2]], sites: [], leagues: [], points: 0 };

test("lines are told by their events, whatever a site is called", () => {
  const told = (event, text = "") => lineWords({ seat: 0, text, event }, view);
  assert.equal(told(fief), "places fief 5: Esplanade, Lyon, sea league of Mare Balticum, +16");
  assert.equal(told(wedding), "arranges a wedding with one ring: +0");
  assert.equal(told({ kind: "donation", points: 3 }), "donates the fief, +3");
  assert.equal(told({ kind: "plan" }), "has planned");
  const plan = { region: "Italia", action: "C", privilege: true };
  assert.equal(told({ kind: "plan", ...plan }), "plans Italia C + King’s Privilege");
  const order = { kind: "order", place: 1, card: 12, ...plan };
  assert.equal(told({ ...order, by: "card" }),
    "is 1st with Italia C + King’s Privilege, ahead by the lower fief card, 12");
  assert.equal(told({ ...order, by: null }), "is 1st with Italia C + King’s Privilege");
  assert.equal(told({ kind: "round", round: 7, last: true }), "Round 7, the last, begins");
  assert.equal(
    told({ kind: "final", pieces: 1, group: 15, cities: 2, objective: 5, score: 61 }),
    "has 1 connected piece +15, 2 cities of the objective +5: 61 points",
  );
  assert.equal(told({ kind: "victory", seats: [0, 1], points: 61 }),
    "Ada and Player 2 share the victory with 61 points");
  assert.equal(told({ kind: "scoring", round: 1, points: [3, 0] }),
    "Round 1 is scored: Ada +3 and Player 2 +0");
});

test("a line without a known event keeps its text", () => {
  for (const event of [undefined, {}, { kind: "decision" }, { kind: "over" }, { kind: "final" }]) {
    assert.equal(lineWords({ seat: 0, text: "draws two cards", event }, view), "draws two cards");
  }
});

test("the hexes of a move come from its event", () => {
  assert.deepEqual(cellsOf([{ seat: 0, text: "plans", event: fief }]), fief.cells);
  assert.deepEqual(cellsOf([{ seat: 0, text: "plans", event: { kind: "plan" } }, { text: "" }]), []);
});

test("choices say what to do, lines what was done", () => {
  assert.equal(choiceWords(fief, 5), "Place fief 5: Esplanade, Lyon, sea league of Mare Balticum, +16");
  assert.equal(choiceWords(wedding), "Arrange a wedding with one ring: +0");
  assert.equal(choiceWords({ kind: "donation", points: 3 }), "Donate the fief, +3");
  const lines = [{ seat: 1, event: wedding }, { seat: null, text: "It rains" }];
  assert.equal(spoken(lines, view), "Player 2 arranges a wedding with one ring: +0. It rains");
});

test("reasons for a choice are told in words", () => {
  assert.equal(
    reasonWords(
      [
        { kind: "sites", cities: ["Lyon"], harbors: [], points: 3 }, // stands in the choice's words
        { kind: "objective", held: 2, of: 6, points: 3 },
        { kind: "harbors", sea: "Mare Balticum", held: 2, of: 3 },
        { kind: "group", before: 2, after: 4 },
        { kind: "takes", seat: 1, points: 1 },
        { kind: "denies", seat: 0, sea: "Mare Tyrrhenum" },
        { kind: "rings", spent: 2, left: 3 },
        { kind: "unheard of" },
        { kind: "tie" },
      ],
      view,
    ),
    "city 2 of 6 of your objective (+3); harbor 2 of 3 for the league of Mare Balticum; " +
      "your largest group grows from 2 to 4 pieces; costs Player 2 up to 1 point in this round; " +
      "takes a harbor that Ada needs for the league of Mare Tyrrhenum; costs 2 rings (3 left); " +
      "as good as the one above",
  );
  const spots = { kind: "spots", number: 12, weddings: 3, points: 9, sites: ["Wien"], leagues: [] };
  const plan = [spots, { kind: "privilege", left: 4 }];
  assert.equal(reasonWords(plan, view), "12 legal spots now, or a wedding, up to Wien, +9; goes first for a ring (4 left)");
  assert.equal(reasonWords([{ kind: "spots", number: 0 }], view), "no legal spot now");
});

test("values are chances in percent, or points", () => {
  assert.equal(valueWords(0.432, "chance"), "43%");
  assert.equal(valueWords(0.05, "probability"), "5%");
  assert.equal(valueWords(8.25, "points"), "8.3");
  assert.equal(valueWords(null, "chance"), "–");
});

test("the end of a game is told in sentences", () => {
  const objective = { symbols: [], held: 2 };
  assert.equal(
    detailWords({ largest_group: 5, objective, leagues: ["Mare Balticum", "Mare Tyrrhenum"] }),
    "5 connected pieces; 2 cities of the objective; leagues: Mare Balticum and Mare Tyrrhenum",
  );
  assert.equal(detailWords({ largest_group: 1, objective: null, leagues: [] }), "1 connected piece");
  const players = (...won) => ({
    players: won.map((has, seat) => ({ seat, name: "AB"[seat], won: has, scores: [50] })),
  });
  assert.equal(tieWords(players(true, false)), "A and B have as many points; A holds more cities and harbors.");
  assert.equal(tieWords(players(true, true)), ""); // they share the victory
});

test("what has happened since the own last move is told player by player", () => {
  const line = (seat, event) => ({ seat, text: "moves", event });
  const donation = { kind: "donation", points: 3 };
  const moves = new Map([
    [4, [line(0, fief), line(null, { kind: "round", round: 2 })]],
    [3, [line(1, fief)]],
    [5, [line(1, { kind: "plan" })]],
    [6, [line(2, { kind: "plan" }), line(null, { kind: "reveal" }), line(2, { kind: "order" })]],
    [7, [line(1, fief)]],
    [8, [line(2, donation)]],
  ]);
  const found = sinceOwnMove(moves, 0);
  assert.deepEqual(found.all.map(({ event }) => event.kind), ["round"]);
  assert.deepEqual(
    found.players.map(({ seat, points, lines }) => [seat, points, lines.map(({ event }) => event.kind)]),
    [[2, 3, ["order", "donation"]], [1, 16, ["fief"]]],
  );
  assert.deepEqual(cellsOf(found.lines), fief.cells);
  assert.equal(sinceOwnMove(moves, 3), null); // who has not moved
  assert.equal(sinceOwnMove(new Map([[1, [line(0, fief)]], [2, [line(1, { kind: "plan" })]]]), 0), null);
});

test("the turn order is explained", () => {
  const plan = (action, privilege = false) => ({ region: "Italia", action, privilege });
  const players = [
    { seat: 0, name: "Ada", card: 81, plan: plan("B") },
    { seat: 1, name: "Bo", card: 12, plan: plan("B") },
    { seat: 2, name: "Cy", card: 33, plan: plan("C", true) },
    { seat: 3, name: "Di", card: 44, plan: plan("C") },
  ];
  const precedence = ["privilege", "card", "action"];
  assert.deepEqual(orderWords({ order: [2, 1, 0, 3], players, precedence }), [
    "Cy is 1st with Italia C + King’s Privilege, before Bo by King’s Privilege",
    "Bo is 2nd with Italia B, before Ada: fief card 12 is lower than 81",
    "Ada is 3rd with Italia B, before Di: action B comes before C",
    "Di is 4th with Italia C",
  ]);
});

test("a player is told by how much the game was won or lost, and what made most of it", () => {
  const players = [[20, 0, 5, 9], [4, 11, 6, 0], [1, 1, 1, 1]].map((scores, seat) => ({ seat, scores }));
  const sources = ["cities", "harbors", "group", "aside"];
  const told = (seat) => verdictWords({ players: players.map(counted) }, seat, sources, [0, 3]);
  assert.equal(told(0), "You won by 4: 16 by cities.");
  assert.equal(told(1), "You lost by 4: 16 by cities.");
  assert.equal(told(2), "You lost by 22: 19 by cities and 4 by group.");
  assert.equal(told(null), "");
});

/** Returns a player with the total of what counts. */
const counted = (player) => ({ ...player, total: player.scores.slice(0, 3).reduce((sum, one) => sum + one) });
