// The options of a game's rules, as the server describes them.

import { button, make } from "../common/dom.js";
import { words as said } from "../words/index.js";

/** Returns a field for each option: a list of its values, or a number; before them, the presets. */
export function ruleFields({ rules, rules_words: words, default_rules: usual, presets = {} }) {
  const fields = Object.entries(rules).map(([name, values]) => {
    const control = values.length
      ? make("select", { name }, ...values.map((value) => option(value, usual[name])))
      : make("input", { name, type: "number", value: usual[name] });
    const label = name.replaceAll("_", " ");
    const title = label[0].toUpperCase() + label.slice(1);
    return make("label", {}, title, control, make("small", {}, words[name] ?? ""));
  });
  const names = Object.keys(presets);
  return names.length ? [presetButtons(names, presets), ...fields] : fields;
}

/** Returns a button for each preset, which sets the fields beside it to the preset's options. */
function presetButtons(names, presets) {
  const choose = (name) => (event) => {
    const box = event.target.closest(".presets").parentElement;
    for (const [option, value] of Object.entries(presets[name]))
      box.querySelector(`[name="${CSS.escape(option)}"]`).value = JSON.stringify(value);
    box.dispatchEvent(new Event("change", { bubbles: true }));
  };
  return make("p", { class: "presets" }, ...names.map((name) => button(name, choose(name))));
}

const option = (value, usual) =>
  make("option", { value: JSON.stringify(value), selected: value === usual }, textOf(value));

const textOf = (value) =>
  typeof value === "boolean" ? (value ? said.lobby.yes : said.lobby.no) : String(value).replaceAll("_", " ");

/** Returns the options that are chosen in a box of fields. */
export function rulesChosen(box) {
  const controls = [...box.querySelectorAll("[name]")];
  return Object.fromEntries(controls.map(({ name, value }) => [name, JSON.parse(value || "null")]));
}
