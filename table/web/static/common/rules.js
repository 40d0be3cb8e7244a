// The rules beside a page, and links to them from the numbers of rules.

import { language } from "../words/index.js";
import { byId, make } from "./dom.js";
import { translator } from "./said.js";

const GAMES = { R: "gonzaga", T: "tuscany", S: "signorie" };

/** Returns the address of a rule, such as "R3.2". */
export const ruleAddress = (rule) => `/rules/${GAMES[rule[0]]}#${rule}`;

/** Returns a text with links in place of the numbers of rules, as nodes and texts. */
export const withRules = (text) =>
  text.split(/\b([RTS]\d+\.\d+)\b/).map((part, i) =>
    i % 2 ? make("a", { class: "rule", href: ruleAddress(part) }, part) : part,
  );

/** Draws the pictures of a text in the language of the page with their labels in it, too. */
export async function sayPictures(root) {
  if (language === "en" || root.lang !== language) return;
  for (const image of root.querySelectorAll('img[src*=".svg"]')) {
    const drawing = await (await fetch(image.src)).text();
    const said = translator.drawing(drawing);
    if (said !== drawing) image.src = `data:image/svg+xml,${encodeURIComponent(said)}`;
  }
}

/** Shows a game's rules in the dialog of a page, at a rule if one is named. */
export async function showRules(game, rule) {
  const dialog = byId("rules");
  if (!dialog.open) dialog.showModal();
  const content = byId("rules-text");
  if (content.dataset.game !== game) {
    const page = await fetch(`/rules/${game}?language=${language}`);
    const text = new DOMParser().parseFromString(await page.text(), "text/html");
    const main = text.querySelector("main");
    content.lang = main.lang;
    content.replaceChildren(...main.children);
    content.dataset.game = game;
    sayPictures(content);
  }
  content.querySelector(".shown")?.classList.remove("shown");
  const place = rule && content.querySelector(`#${CSS.escape(rule)}`);
  place?.classList.add("shown");
  place?.scrollIntoView({ block: "center" });
}

/** Opens links to rules in the dialog: the page and its address stay as they are. */
export function followRules() {
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a")?.getAttribute("href");
    const rule = /^(?:\/rules\/\w+)?#([RTS]\d[\d.]*)$/.exec(link ?? "")?.[1];
    if (!rule || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showRules(GAMES[rule[0]], rule);
  });
}
