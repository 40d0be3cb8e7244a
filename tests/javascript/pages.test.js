// The HTML of the pages: every text has its words in all languages, and the English is the same.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import en from "#static/words/en.json" with { type: "json" };
import { textAt, wordsOf } from "#static/words/page.js";

const STATIC = new URL("../../table/web/static/", import.meta.url);
const pages = readdirSync(STATIC, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".html"))
  .map((name) => [name, readFileSync(new URL(name, STATIC), "utf8")]);

const VOID = /^(meta|link|input|br|img|hr)$/;
const SPOKEN = ["title", "aria-label", "placeholder", "alt"]; // attributes that people read
const plain = (text) => text.replaceAll("&amp;", "&").replace(/\s+/g, " ").trim();

/** Yields `{tag, given, texts}` of each element: its attributes, and its own texts. */
function* elements(html) {
  const open = [];
  const parts = /<!--.*?-->|<!doctype[^>]*>|<(\/?)([\w-]+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>|([^<]+)/gis;
  for (const [, closing, tag, attributes, text] of html.matchAll(parts)) {
    if (text?.trim() && open.length) open.at(-1).texts.push(plain(text));
    if (!tag) continue;
    if (closing) {
      yield open.pop();
      continue;
    }
    const pairs = [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
    const element = { tag, given: Object.fromEntries(pairs.map(([, name, value]) => [name, value ?? ""])), texts: [] };
    element.quiet = open.at(-1)?.quiet || element.given.translate === "no";
    if (VOID.test(tag)) yield element;
    else open.push(element);
  }
}

/** Returns what is wrong with the words of a page. */
function faults(html) {
  const found = [];
  for (const { given, texts, quiet } of elements(html)) {
    if (quiet || texts.some((text) => /^\$\w+\$/.test(text))) continue; // the server fills it in
    const named = Object.fromEntries(given["data-words"] ? wordsOf(given["data-words"]) : []);
    const said = { ...Object.fromEntries(SPOKEN.map((name) => [name, given[name]])), "": texts[0] };
    for (const [attribute, text] of Object.entries(said)) {
      const key = named[attribute];
      if (key && textAt(key, en) !== plain(text ?? "")) found.push(`${key} is not "${plain(text ?? "")}"`);
      if (!key && text && /\p{L}{2}/u.test(text)) found.push(`no words for "${text}"`);
    }
    if (texts.length > 1) found.push(`"${texts[1]}" needs an element of its own`);
  }
  return found;
}

test("a fault in the words of a page is found", () => {
  const html = '<p data-words="common.toLobby">Home</p><p title="Go">…</p><p translate="no">GONZAGA</p>';
  assert.deepEqual(faults(html), ['common.toLobby is not "Home"', 'no words for "Go"']);
  assert.deepEqual(faults("<label data-words=\"common.toLobby\">To the lobby <input/> x y</label>"), [
    '"x y" needs an element of its own',
  ]);
});

for (const [name, html] of pages) {
  test(`${name} is in a language before it is painted`, () => {
    const scripts = [...html.matchAll(/<script[^>]*src="([^"]+)"/g)].map(([, path]) => path);
    const [language, theme, header] = ["language", "theme", "header"].map((file) =>
      scripts.indexOf(`/static/common/${file}.js`));
    assert.ok(language >= 0 && language < theme && theme < header, String(scripts));
  });
  test(`every text of ${name} has its words`, () => assert.deepEqual(faults(html), []));
}

test("the script in the head knows the languages, each of which is a file", () => {
  const script = readFileSync(new URL("common/language.js", STATIC), "utf8");
  const files = readdirSync(new URL("words/", STATIC)).filter((name) => name.endsWith(".json"));
  const names = JSON.parse(script.match(/LANGUAGES = (.*?);/)[1]).map((code) => `${code}.json`);
  assert.deepEqual(names.sort(), files.sort());
});
