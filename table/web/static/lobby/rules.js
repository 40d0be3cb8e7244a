// The options of a game's rules in words; those of a game that has none here, as the server says.

import { button, make } from "../common/dom.js";
import { words as said } from "../words/index.js";

/** Returns a field for each option: a list of its values, or a number; before them, the presets. */
export function ruleFields({ name: game, rules, rules_words: told, default_rules: usual, presets = {} }) {
  const own = said.options[game] ?? {};
  const fields = Object.entries(rules).map(([name, values]) => {
    const { name: title, about, values: valueWords } = own[name] ?? plainWords(name, told);
    const control = values.length
      ? make("select", { name }, ...values.map((value) => option(value, usual[name], valueWords)))
      : make("input", { name, type: "number", value: usual[name] });
    return make("label", {}, title, control, make("small", {}, about));
  });
  const names = Object.keys(presets);
  return names.length ? [presetButtons(names, presets, own.presets), ...fields] : fields;
}

/** Returns the words of an option by its name and what the server tells of it. */
function plainWords(name, told) {
  const label = name.replaceAll("_", " ");
  return { name: label[0].toUpperCase() + label.slice(1), about: told[name] ?? "", values: {} };
}

/** Returns a button for each preset, which sets the fields beside it to the preset's options. */
function presetButtons(names, presets, presetWords = {}) {
  const choose = (name) => (event) => {
    const box = event.target.closest(".presets").parentElement;
    for (const [option, value] of Object.entries(presets[name]))
      box.querySelector(`[name="${CSS.escape(option)}"]`).value = JSON.stringify(value);
    box.dispatchEvent(new Event("change", { bubbles: true }));
  };
  return make("p", { class: "presets" }, ...names.map((name) => button(presetWords[name] ?? name, choose(name))));
}

const option = (value, usual, valueWords) => {
  const text = valueWords[value] ?? textOf(value);
  return make("option", { value: JSON.stringify(value), selected: value === usual }, text);
};

const textOf = (value) =>
  typeof value === "boolean" ? (value ? said.lobby.yes : said.lobby.no) : String(value).replaceAll("_", " ");

/** Returns the options that are chosen in a box of fields. */
export function rulesChosen(box) {
  const controls = [...box.querySelectorAll("[name]")];
  return Object.fromEntries(controls.map(({ name, value }) => [name, JSON.parse(value || "null")]));
}
