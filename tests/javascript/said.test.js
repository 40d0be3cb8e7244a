import assert from "node:assert/strict";
import test from "node:test";

import { Translator } from "#static/common/said.js";
import de from "#static/words/de.json" with { type: "json" };

const wagon = { text: "take a wagon", say: "take {piece}", with: { piece: { say: "a wagon", with: {} } } };
const line = {
  text: "takes a wagon; +2 cards",
  say: "; ",
  with: [
    { say: "takes {piece}", with: { piece: { say: "a wagon", with: {} } } },
    { say: "+{n} cards", with: { n: 2 } },
  ],
};
const answer = () => ({ choices: [{ action: 3, text: "take W", words: wagon }], lines: [{ seat: 0, text: line }] });

test("sentences of answers are said in the language of the page", () => {
  const said = (words, text) => ({
    choices: [{ action: 3, text: "take W", words }],
    lines: [{ seat: 0, text }],
  });
  assert.deepEqual(new Translator(null).answer(answer()), said("take a wagon", "takes a wagon; +2 cards"));
  const german = new Translator(de.sentences).answer(answer());
  assert.deepEqual(german, said("Nimm ein Fuhrwerk", "nimmt ein Fuhrwerk; +2 Karten"));
});

test("a template that the catalogue lacks stays English", () => {
  assert.equal(new Translator({}).answer(wagon), "take a wagon");
});

test("names are no templates, whatever they are", () => {
  const german = new Translator(de.sentences);
  for (const name of ["constructor", "toString", "__proto__", "my {draft}", "{constructor}"]) {
    assert.equal(german.answer({ text: name, say: name, with: {} }), name);
    assert.equal(german.drawing(`<text x="1" font-size="20">${name}</text>`), `<text x="1" font-size="20">${name}</text>`);
    assert.equal(german.refusal({ message: name }), name);
  }
});

test("labels of drawings are said, and long ones that grow get smaller letters", () => {
  const german = new Translator(de.sentences);
  const label = (size, text) => `<text x="1" font-size="${size}">${text}</text>`;
  assert.equal(german.drawing(label(20, "village")), label(20, "Dorf"));
  assert.equal(german.drawing(label(20, "storage, 3 of 4")), label(20, "Lager, 3 von 4"));
  assert.equal(german.drawing(label(20, "A &amp; B")), label(20, "A &amp; B"));
  german.answer(answer());
  assert.equal(german.drawing(label(20, "takes a wagon")), label(20, "nimmt ein Fuhrwerk"));
  const long = new Translator({ "not turned up at all now": "x".repeat(48) });
  assert.equal(long.drawing(label(20, "not turned up at all now")), label(10, "x".repeat(48)));
});

test("refusals are said, too", () => {
  const german = new Translator(de.sentences);
  assert.equal(german.refusal({ message: "the game is over" }), "Die Partie ist zu Ende");
  assert.equal(german.refusal({ message: "no such sentence" }), "no such sentence");
  const asks = { text: "seat 0 asks already", say: "seat {n} asks already", with: { n: 0, place: 1 } };
  assert.equal(german.refusal({ message: asks.text, sentence: asks }), "Platz 1 fragt schon");
});
