import assert from "node:assert/strict";
import test from "node:test";

import { Translator } from "#static/common/said.js";
import { List, Phrases } from "#static/words/phrases.js";
import books from "#static/words/de/said/index.js";

const german = new Translator(books);

test("phrases say what stands in their places, too", () => {
  const tile = { village: "Dorf", inn: "Gasthaus" };
  const kinds = { n: /\d+/, tile, tiles: new List(tile, ", ", " und ") };
  const book = new Phrases(kinds, [
    ["take {tiles}", "Nimm {tiles}"],
    ["{n} of {n:all} (a {tile})", ({ n, all, tile }) => `${n} von ${all}: ${tile}`],
  ]);
  assert.equal(book.say("take village, inn"), "Nimm Dorf und Gasthaus");
  assert.equal(book.say("2 of 30 (a inn)"), "2 von 30: Gasthaus");
  assert.equal(book.say("take dragon"), undefined);
  assert.equal(book.say("take village, inn now"), undefined);
});

test("a form with a place for no kind is a fault", () => {
  assert.throws(() => new Phrases({}, [["take {tile}", "Nimm {tile}"]]), /tile, which is no kind/);
});

test("answers are said in German, all but what pages find things by", () => {
  const answer = {
    stage: "Round 1, lap 3: draw, take or place",
    choices: [{ action: 1, text: "take V", words: "take a village", warning: "" }],
    lines: [{ seat: 0, text: "draws cards; +2 cards (1 village, 1 inn)", event: {} }],
    blocks: [{ name: "display", lines: ["agriculture (olives, wheat)"] }],
    advice: { castle: "unheard of" },
  };
  assert.deepEqual(german.answer(answer), {
    stage: "Runde 1, Umlauf 3: ziehen, nehmen oder legen",
    choices: [{ action: 1, text: "take V", words: "Nimm ein Dorf", warning: "" }],
    lines: [{ seat: 0, text: "zieht Karten; +2 Karten (1 Dorf, 1 Gasthaus)", event: {} }],
    blocks: [{ name: "display", lines: ["Landgut (Oliven, Weizen)"] }],
    advice: { castle: "unheard of" },
  });
});

test("labels of drawings are said, and long ones that grow get smaller letters", () => {
  const label = (size, text) => `<text x="1" font-size="${size}">${text}</text>`;
  assert.equal(german.drawing(label(20, "village")), label(20, "Dorf"));
  assert.equal(german.drawing(label(20, "A &amp; B")), label(20, "A &amp; B"));
  const grown = german.drawing(label(20, "4 of 7 own tiles turned up"));
  assert.equal(grown, label(14.44, "4 von 7 eigenen Plättchen aufgedeckt"));
});
