// The words of all pages, in the language of the page (common/language.js chooses it).

import en from "./en/index.js";

/** The languages on offer, by their codes, in their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch" };

/** The code of the language that pages show. */
export const language = globalThis.document?.documentElement.lang || "en";

/**
 * The words of each page, such as `words.table.skip`: texts, or functions that return one.
 *
 * @type {typeof en}
 */
export const words = language === "en" ? en : (await import(`./${language}/index.js`)).default;

/** Returns a number as people write it; `options` are those of `Intl.NumberFormat`. */
export const number = (value, options = {}) => new Intl.NumberFormat(language, options).format(value);

/** Returns a number with the form of a word that it takes, such as "3 points". */
export function plural(count, forms) {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return form.replace("#", number(count));
}

/** Returns a list in words, such as "Ada, Bo and Cy". */
export const listed = (parts) => new Intl.ListFormat(language).format(parts);
