// The words of all pages, in the language that this browser prefers or was set to.

import { setting } from "../common/storage.js";
import en from "./en/index.js";

/** The languages on offer, by their codes, in their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch" };

const preferred = () =>
  globalThis.navigator?.languages?.map((code) => code.split("-")[0]).find((code) => code in LANGUAGES);

/** The code of the language that pages show. */
export const language = setting("language", preferred() ?? "en");

/**
 * The words of each page, such as `words.table.skip`: texts, or functions that return one.
 *
 * @type {typeof en}
 */
export const words = language === "en" ? en : (await import(`./${language}/index.js`)).default;

/** Returns a number with the form of a word that it takes, such as "3 points". */
export function plural(count, forms) {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return form.replace("#", new Intl.NumberFormat(language).format(count));
}

/** Returns a list in words, such as "Ada, Bo and Cy". */
export const listed = (parts) => new Intl.ListFormat(language).format(parts);
