// The page of rules: in the reader's language, if there is a text in it.

import { sayPictures } from "./common/rules.js";
import { language } from "./words/index.js";

/** @type {HTMLElement} */
const text = document.querySelector("main.rules");

if (text.lang !== language && text.dataset.languages.split(" ").includes(language)) {
  location.replace(`${location.pathname}?language=${language}${location.hash}`);
} else {
  sayPictures(text);
}
