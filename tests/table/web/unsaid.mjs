// Prints the sentences of answers on standard input, one a line, that German has no words for; of an
// answer with `refusals`, the texts and codes of refusals.

import { createInterface } from "node:readline";

import { Translator } from "#static/common/said.js";
import books, { codes, refusals } from "#static/words/de/said/index.js";

/** Signs of pieces, such as "AOL" and "L10", also as one text of many letters, numbers of rows, and colours. */
const SAME = /^(#\w+|[A-Z]+\d*|[\d.½?+-]+)$/;

const unsaid = new Set();
const german = new Translator(books);
german.missing = (text) => {
  if (!SAME.test(text)) unsaid.add(text);
  return text;
};
for await (const line of createInterface({ input: process.stdin })) {
  const answer = JSON.parse(line);
  german.answer(answer);
  for (const text of answer.refusals ?? []) if (!(codes[text] ?? refusals.say(text))) unsaid.add(text);
}
console.log(JSON.stringify([...unsaid]));
