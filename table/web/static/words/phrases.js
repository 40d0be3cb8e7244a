// Sentences that the server says in English, in the words of another language.
//
// The server makes them from a few forms, such as "take a village". A book of phrases has a line for
// each form, [English, translation], in which `{piece}` stands for one of a kind: its words are
// translated for themselves. A second one of a kind is called `{piece:other}`.

const PLACE = /\{(\w+)(?::(\w+))?\}/;
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/**
 * What can stand in a place: texts as they are, `/\d+/`; words, `{village: "Dorf"}`; or the phrases
 * of a book.
 *
 * @typedef {RegExp | Record<string, string> | Phrases | List} Kind
 * @typedef {string | ((parts: any) => string)} Translation with places, or made from their words
 */

/** Phrases in the order in which they are tried. */
export class Phrases {
  /**
   * @param {Record<string, Kind>} kinds what can stand in places, by name
   * @param {[string, Translation][]} lines
   */
  constructor(kinds, lines) {
    this.forms = lines.map(([english, translation]) => new Form(kinds, english, translation));
  }

  /** What a pattern takes for any of these phrases. */
  get source() {
    return this.forms.map((form) => form.source).join("|");
  }

  /** Returns a sentence in the other language; undefined where no phrase has its form. */
  say(text) {
    for (const form of this.forms) {
      const said = form.say(text);
      if (said !== undefined) return said;
    }
    return undefined;
  }
}

class Form {
  constructor(kinds, english, translation) {
    this.translation = translation;
    this.places = [];
    let [rest, source, pattern] = [english, "", ""];
    for (let found; (found = PLACE.exec(rest)); rest = rest.slice(found.index + found[0].length)) {
      const [, kind, name = kind] = found;
      if (!kinds[kind]) throw new Error(`"${english}" has a place for ${kind}, which is no kind`);
      const [before, inside] = [escaped(rest.slice(0, found.index)), sourceOf(kinds[kind])];
      this.places.push([name, kinds[kind]]);
      source += `${before}(?:${inside})`;
      pattern += `${before}(${inside})`;
    }
    this.source = source + escaped(rest);
    this.pattern = new RegExp(`^${pattern + escaped(rest)}$`, "s");
  }

  say(text) {
    const found = this.pattern.exec(text);
    if (!found) return undefined;
    const parts = Object.fromEntries(this.places.map(([name, kind], i) => [name, sayPart(kind, found[i + 1])]));
    if (typeof this.translation === "function") return this.translation(parts);
    return this.translation.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
  }
}

function sourceOf(kind) {
  if (kind instanceof RegExp) return kind.source;
  if (kind instanceof Phrases || kind instanceof List) return kind.source;
  return Object.keys(kind).sort((a, b) => b.length - a.length).map(escaped).join("|");
}

function sayPart(kind, text) {
  if (kind instanceof RegExp) return text;
  return kind instanceof Phrases || kind instanceof List ? kind.say(text) : kind[text];
}

/** Several of a kind, between them a mark such as ", ". */
export class List {
  constructor(kind, mark, translated = mark) {
    this.kind = kind;
    this.mark = mark;
    this.translated = translated;
    this.one = new RegExp(`^(?:${sourceOf(kind)})$`, "s");
  }

  get source() {
    const one = `(?:${sourceOf(this.kind)})`;
    return `${one}(?:${escaped(this.mark)}${one})*`;
  }

  /** Returns all of them; a mark may stand inside one, too. */
  say(text) {
    const said = [];
    let whole = "";
    for (const part of text.split(this.mark)) {
      whole += (whole && this.mark) + part;
      if (!this.one.test(whole)) continue;
      said.push(sayPart(this.kind, whole));
      whole = "";
    }
    return said.join(this.translated);
  }
}
