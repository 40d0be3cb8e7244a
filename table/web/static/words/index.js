// The words of all pages, in the language of the page (common/language.js chooses it).

import en from "./en.json" with { type: "json" };

/** The code of the language that pages show. */
export const language = globalThis.document?.documentElement.lang || "en";

/**
 * The words of each page, such as `words.table.skip`: texts, with places such as {0} or {name} that
 * `fill` fills, and those of several forms for `plural`. `words.sentences` are the server's.
 *
 * @type {typeof en}
 */
export const words =
  language === "en" ? en : (await import(`./${language}.json`, { with: { type: "json" } })).default;

/** Returns a text with its places filled: {0}, {1} by the values, or {name} by those of an object. */
export function fill(text, ...values) {
  const given = values[0] && typeof values[0] === "object" ? values[0] : values; // null is one
  return text.replace(/\{(\w+)\}/g, (place, name) => given[name] ?? place);
}

/** Returns a number as people write it; `options` are those of `Intl.NumberFormat`. */
export const number = (value, options = {}) => new Intl.NumberFormat(language, options).format(value);

/** Returns a number with the form of a word that it takes, such as "3 points". */
export function plural(count, forms) {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return form.replace("#", number(count));
}

/** Returns a list in words, such as "Ada, Bo and Cy". */
export const listed = (parts) => new Intl.ListFormat(language).format(parts);
