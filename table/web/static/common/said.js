// What the server says, in the language of the page.

import { language } from "../words/index.js";

const KEPT = 5000; // sentences

/** Members of answers that hold sentences; of others, only what lies below them is translated. */
const SAID = new Set(["words", "warning", "why", "stage", "note", "advice", "title", "lines", "places", "sources"]);
const LABEL = /(<text[^>]*>)([^<]+)(?=<\/text>)/g;

/** Says sentences in another language by its books of phrases, the game's first. */
export class Translator {
  /** @param {Record<string, import("../words/phrases.js").Phrases>} books by game, and "common" */
  constructor(books) {
    this.books = Object.values(books);
    this.known = new Map();
  }

  /** Returns a sentence in the language; one that no book has stays as it is. */
  say(text) {
    if (!/[a-z]/i.test(text)) return text;
    if (this.known.size > KEPT) this.known.clear();
    if (!this.known.has(text)) this.known.set(text, this.find(text));
    return this.known.get(text);
  }

  find(text) {
    for (const book of this.books) {
      const said = book.say(text);
      if (said !== undefined) return said;
    }
    return this.missing(text);
  }

  /** Called for a sentence that no book has. */
  missing(text) {
    return text;
  }

  /** Returns an answer with its sentences in the language. */
  answer(value, name = "") {
    if (typeof value === "string") return this.text(value, name);
    if (Array.isArray(value)) return value.map((one) => this.answer(one, name));
    if (value === null || typeof value !== "object") return value;
    const line = "text" in value && "event" in value; // of a log
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => {
        if (line && key === "text") return [key, this.say(part)];
        return [key, this.answer(part, name === "advice" ? name : key)];
      }),
    );
  }

  text(text, name) {
    if (text.endsWith(">")) return this.drawing(text);
    return SAID.has(name) ? this.say(text) : text;
  }

  /** Returns the elements of a drawing with their labels in the language. */
  drawing(svg) {
    return svg.replace(LABEL, (_, element, label) => {
      const told = unescaped(label);
      const said = this.say(told);
      return shrunk(element, told, said) + said.replace(/&/g, "&amp;").replace(/</g, "&lt;");
    });
  }
}

const LONG = 20; // letters of a label that fills its room

/** Returns the element of a label with smaller letters, where a long one has grown. */
function shrunk(element, told, said) {
  const factor = told.length < LONG ? 1 : Math.min(1, told.length / said.length);
  return element.replace(/font-size="([\d.]+)"/, (_, size) => `font-size="${+(size * factor).toFixed(2)}"`);
}

const SIGNS = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const unescaped = (text) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, sign) => SIGNS[sign]);

const said = language === "en" ? null : await import(`../words/${language}/said/index.js`);
const translator = said && new Translator(said.default);

/** Returns why the server refuses something; of a sentence that no book has, also what its code means. */
export const refusal = (code, message) =>
  said ? (said.refusals.say(message) ?? `${said.codes[code] ?? code} (${message})`) : message;

/** Returns an answer of the server, or a sentence of it, in the language of the page. */
export const translated = (answer, name = "words") => translator?.answer(answer, name) ?? answer;
