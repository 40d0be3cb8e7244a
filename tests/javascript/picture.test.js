import assert from "node:assert/strict";
import test from "node:test";

import { byWords, groupsOf, steps, withWord } from "#static/picture/groups.js";
import { distance } from "#static/picture/reveal.js";

const choice = (action, text, words) => ({ action, text, words });

test("choices are grouped by their verb under what their words share", () => {
  const groups = groupsOf([
    choice(1, "draw", "draw cards"),
    choice(2, "take V", "take village"),
    choice(3, "take AO", "take agriculture (olives)"),
    choice(4, "tile L4", "tile on L4 (village)"),
    choice(5, "tile R4", "tile on R4 (village)"),
    choice(6, "end", "end the turn"),
  ]);
  assert.deepEqual(groups.map(({ title }) => title), ["", "take", "tile on"]);
  assert.deepEqual(groups[0].choices.map(({ action }) => action), [1, 6]);
  assert.deepEqual(groups[0].choices.map(({ label }) => label), ["draw cards", "end the turn"]);
  assert.deepEqual(groups[2].choices.map(({ label }) => label), ["L4 (village)", "R4 (village)"]);
});

test("the dice of a colour are groups of their own", () => {
  const dice = ["3 pass", "3 hire", "4 hire", "4 pass"].map((text, action) =>
    choice(action, `red ${text}`, `take red ${text[0]} to ${text.slice(2)}`),
  );
  const groups = groupsOf(dice);
  assert.deepEqual(groups.map(({ title }) => title), ["take red 3 to", "take red 4 to"]);
  assert.deepEqual(groups[1].choices.map(({ label }) => label), ["hire", "pass"]);
});

test("choices that say the same keep a word each", () => {
  const [group] = groupsOf([choice(1, "pay a", "pay one"), choice(2, "pay b", "pay one")]);
  assert.deepEqual(group.choices.map(({ label }) => label), ["one", "one"]);
});

test("what all choices of a group cost is said once, above them", () => {
  const [group] = groupsOf([
    choice(1, "take V", "take a village; a stored piece leaves the game"),
    choice(2, "take I", "take an inn; a stored piece leaves the game"),
  ]);
  assert.equal(group.title, "take; a stored piece leaves the game");
  assert.deepEqual(group.choices.map(({ label }) => label), ["a village", "an inn"]);
});

const UNITS = [
  ["own", "a card of the colour", "two cards of the colour"],
  ["worker", "a worker", "two workers"],
  ...["village", "wagon", "monastery", "quarry", "city", "inn"].map((name) => [
    name[0].toUpperCase().repeat(2),
    `two ${name} cards`,
    `four ${name} cards`,
  ]),
];

test("payments are grouped by their first half, be they ever so many", () => {
  const payments = UNITS.flatMap(([half, one, both], i) =>
    UNITS.slice(i).map(([other, more], k) =>
      choice(10 * i + k, `pay ${half}+${other}`, `pay ${k ? `${one} and ${more}` : both}`),
    ),
  );
  assert.equal(payments.length, 36);
  assert.ok(!byWords(payments));
  const groups = groupsOf(payments);
  assert.equal(groups[0].choices.length, 8 + 1); // alike halves, and the last pair
  assert.equal(groups[1].title, "pay a card of the colour and");
  assert.deepEqual(groups[2].choices.map(({ label }) => label).slice(0, 2), [
    "village cards",
    "wagon cards",
  ]);
});

const layouts = ["A B ++", "A B +-", "B A ++", "B A' ++"].map((text, action) =>
  choice(action, `layout ${text}`, `join ${text}`),
);

test("many choices are chosen word by word", () => {
  assert.deepEqual(steps(layouts, null), [["A", "B"]]);
  assert.deepEqual(steps(layouts, layouts[2]), [["A", "B"], ["A", "A'"], ["++"]]);
});

test("another word keeps as much of the choice as it can", () => {
  assert.equal(withWord(layouts, layouts[1], 0, "B").action, 2);
  assert.equal(withWord(layouts, layouts[2], 1, "A'").action, 3);
  assert.equal(withWord(layouts, null, 0, "A").action, 0);
});

test("what can be chosen is scrolled into view, the first of it where there is no room", () => {
  const view = [100, 400];
  assert.equal(distance([[110, 150], [300, 390]], view), 0);
  assert.equal(distance([[150, 250], [300, 420]], view), 26);
  assert.equal(distance([[50, 90]], view), -56);
  assert.equal(distance([[110, 150], [600, 700]], view), 0); // some is seen, and not all can be
  assert.equal(distance([[500, 550], [900, 950]], view), 394);
});
