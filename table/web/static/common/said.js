// What the server says, in the language of the page.
//
// A sentence comes as `{text, say, with}`: its English, its template, and what fills the places, by
// name; of a list, `say` is the mark between the parts in `with`.

import { language, words } from "../words/index.js";

const LABEL = /(<text[^>]*>)([^<]+)(?=<\/text>)/g;
const LONG = 20; // letters of a label that fills its room

/** Says sentences by a catalogue of templates in another language; in English without one. */
export class Translator {
  /** @param {Record<string, string> | null} catalogue by the English templates */
  constructor(catalogue) {
    this.catalogue = catalogue && { __proto__: null, ...catalogue }; // else "constructor" is in it
    this.known = new Map(); // sentences by their English, which drawings write
  }

  /** Returns an answer with its sentences in the language. */
  answer(value) {
    if (typeof value === "string") return value.endsWith(">") ? this.drawing(value) : value;
    if (Array.isArray(value)) return value.map((one) => this.answer(one));
    if (value === null || typeof value !== "object") return value;
    if ("say" in value) return this.sentence(value);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.answer(part)]));
  }

  sentence(sentence) {
    return this.catalogue ? this.pair(sentence)[1] : sentence.text;
  }

  /** Returns a sentence, or what fills a place, in English and in the language. */
  pair(part) {
    if (part === null || typeof part !== "object") return [String(part), String(part)];
    const { say: template, with: values } = part;
    const said = this.catalogue[template] ?? template;
    const fill = (form, i) =>
      Array.isArray(values)
        ? values.map((value) => this.pair(value)[i]).join(form)
        : form.replace(/\{(\w+)\}/g, (place, name) =>
            Object.hasOwn(values, name) ? this.pair(values[name])[i] : place,
          );
    const both = [fill(template, 0), fill(said, 1)];
    this.known.set(both[0], both[1]);
    return both;
  }

  /** Returns a label of a drawing: a sentence of this answer, or words with numbers and marks. */
  label(text) {
    return this.known.get(text) ?? text.split(/(; |: |, )/).map((part) => this.numbered(part)).join("");
  }

  numbered(text) {
    const numbers = text.match(/\d+/g) ?? [];
    const said = this.catalogue?.[text] ?? this.catalogue?.[text.replace(/\d+/g, "#")];
    return said?.replace(/#/g, () => numbers.shift()) ?? text;
  }

  /** Returns the elements of a drawing with their labels in the language. */
  drawing(svg) {
    if (!this.catalogue) return svg;
    return svg.replace(LABEL, (_, element, label) => {
      const told = unescaped(label);
      const said = this.label(told);
      return shrunk(element, told, said) + said.replace(/&/g, "&amp;").replace(/</g, "&lt;");
    });
  }

  /** Returns why the server refuses something; one that the catalogue lacks stays English. */
  refusal({ message, sentence }) {
    return sentence ? this.sentence(sentence) : (this.catalogue?.[message] ?? message);
  }
}

/** Returns the element of a label with smaller letters, where a long one has grown. */
function shrunk(element, told, said) {
  const factor = told.length < LONG ? 1 : Math.min(1, told.length / said.length);
  return element.replace(/font-size="([\d.]+)"/, (_, size) => `font-size="${+(size * factor).toFixed(2)}"`);
}

const SIGNS = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const unescaped = (text) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, sign) => SIGNS[sign]);

/** Says what the server sends in the language of the page. */
export const translator = new Translator(
  language === "en" ? null : words.sentences,
);
