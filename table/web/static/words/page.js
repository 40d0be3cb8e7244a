// The texts that stand in a page's HTML, in the language of the page, and the choice of a language.
//
// An element names its words: `data-words="lobby.start"` for its text, and
// `data-words="title:table.zoomIn"` for an attribute; several are separated by spaces.

import { make } from "../common/dom.js";
import { keepSetting, stores } from "../common/storage.js";
import { language, words } from "./index.js";

/** Returns the attribute, or "" for the text, and the key of each of an element's words. */
export const wordsOf = (given) =>
  given.split(/\s+/).map((part) => (part.includes(":") ? part.split(":") : ["", part]));

/** Returns the text of a key such as "table.zoomIn". */
export const textAt = (key, all = words) => key.split(".").reduce((part, name) => part?.[name], all);

/** Puts an element's text in place of its first; what it holds besides, such as a field, stays. */
function setText(element, text) {
  const first = [...element.childNodes].find((node) => node.nodeType === 3 && node.data.trim());
  if (first) first.data = first.data.replace(/\S(.*\S)?/s, () => text);
  else element.prepend(text);
}

/** Says all that is below an element in the language of the page. */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-words]")) {
    for (const [attribute, key] of wordsOf(element.dataset.words)) {
      if (attribute) element.setAttribute(attribute, textAt(key));
      else setText(element, textAt(key));
    }
  }
}

/** Keeps a language for all pages, and shows this one in it. */
function choose(code) {
  keepSetting("language", code);
  location.reload();
}

function languageMenu() {
  const options = document.documentElement.dataset.languages.split(" ").map((code) => {
    const title = new Intl.DisplayNames(code, { type: "language" }).of(code);
    return make("option", { value: code, lang: code, title, selected: code === language }, code.toUpperCase());
  });
  const label = words.common.language;
  const onchange = ({ target }) => choose(target.value);
  return make("select", { class: "language", "aria-label": label, title: label, onchange }, ...options);
}

if (globalThis.document) {
  if (language !== "en") translate(document);
  dispatchEvent(new Event("translated"));
  for (const control of document.querySelectorAll("[data-switch-theme]")) {
    if (stores()) control.before(languageMenu()); // else a choice would not last
  }
}
