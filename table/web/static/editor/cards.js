// Scenarios and objectives.

import { button, make } from "../common/dom.js";
import { words } from "../words/index.js";
import { moveUp, symbolsOf } from "./edits.js";
import { imageOf, refill, textInput } from "./fields.js";

const said = words.editor;

export function drawScenarios(work, panel, store) {
  const { model } = store;
  const regions = model.regions.map(([, name]) => name);
  const rows = model.scenario.map((scenario, i) => row(scenario, i, regions, store));
  const add = () => store.edit((m) => {
    m.scenario.push({ name: "", players: m.scenario.at(-1)?.players ?? 2, flourishing: [] });
    store.focus(`scenario ${m.scenario.length - 1} name`);
  });
  refill(work, make("div", { class: "sheet" },
    make("table", {},
      make("thead", {}, make("tr", {},
        make("th", {}, said.scenario), make("th", {}, said.players),
        regions.map((name) => make("th", { class: "region" }, name)), make("th", {}))),
      make("tbody", {}, rows)),
    button(said.addScenario, add, { class: "add", "data-key": "scenario add" })));
  refill(panel, make("p", { class: "hint" }, said.scenarioHint));
}

function row(scenario, i, regions, store) {
  const change = (keys) => store.edit((model) => Object.assign(model.scenario[i], keys));
  const unknown = scenario.flourishing.filter((name) => !regions.includes(name));
  const tick = (name, on) => {
    const chosen = new Set(scenario.flourishing.filter((other) => other !== name));
    if (on) chosen.add(name);
    change({ flourishing: [...regions, ...unknown].filter((other) => chosen.has(other)) });
  };
  const box = (name) => make("td", { class: "tick" }, make("input", {
    type: "checkbox",
    checked: scenario.flourishing.includes(name),
    onchange: (event) => tick(name, event.target.checked),
    "aria-label": said.flourishes(name, scenario.name),
    "data-key": `scenario ${i} ${name}`,
  }));
  return make("tr", { "data-entry": `scenario ${i}` },
    make("td", {}, textInput(`scenario ${i} name`, scenario.name, (name) => change({ name }), {
      "aria-label": said.scenarioName,
    })),
    make("td", {}, make("select", {
      onchange: (event) => change({ players: Number(event.target.value) }),
      "aria-label": said.players,
      "data-key": `scenario ${i} players`,
    }, [...new Set([2, 3, 4, scenario.players])].map((n) =>
      make("option", { value: n, selected: n === scenario.players }, String(n))))),
    regions.map(box),
    make("td", { class: "row" },
      unknown.map((name) => button(`${name} ×`, () => tick(name, false), { title: said.remove })),
      button("↑", () => store.edit((model) => moveUp(model.scenario, i)), {
        disabled: i === 0, "aria-label": said.moveUpOf(scenario.name), "data-key": `scenario ${i} up`,
      }),
      button("×", () => store.edit((model) => model.scenario.splice(i, 1)), {
        "aria-label": said.removeOf(scenario.name), "data-key": `scenario ${i} x`,
      })));
}

/** Draws a square of all pairs of symbols; the pairs that are objectives are marked. */
export function drawObjectives(work, panel, store) {
  const { model, answer } = store;
  const symbols = [...new Set([...symbolsOf(model), ...model.objective.flat()])].sort();
  const icon = (name) => answer.symbols[name]
    ? make("img", { src: imageOf(answer.symbols[name]), alt: name, title: name })
    : make("span", {}, name);
  const heads = symbols.slice(1).map((name) => make("th", {}, icon(name)));
  const rows = symbols.slice(0, -1).map((one, i) => make("tr", {},
    make("th", {}, icon(one), make("small", {}, one)),
    symbols.slice(1).map((other, j) => (j >= i ? cell(one, other, store) : make("td", {})))));
  refill(work, make("div", { class: "sheet" }, symbols.length > 1
    ? make("table", { class: "pairs" },
      make("thead", {}, make("tr", {}, make("th", {}), heads)), make("tbody", {}, rows))
    : make("p", {}, said.noSymbols)));
  const list = model.objective.map(([one, other]) => said.pair(one, other));
  refill(panel, make("p", { class: "hint" }, said.objectiveHint),
  make("h2", {}, said.objectives(list.length)),
  make("ol", {}, list.map((text) => make("li", {}, text))));
}

function cell(one, other, store) {
  const isIt = (pair) => [...pair].sort().join("\n") === [one, other].sort().join("\n");
  const index = store.model.objective.findIndex(isIt);
  const toggle = () => store.edit((model) => {
    if (index < 0) model.objective.push([one, other]);
    else model.objective = model.objective.filter((pair) => !isIt(pair));
  });
  return make("td", { "data-entry": index < 0 ? null : `objective ${index}` },
    button(index < 0 ? "" : String(index + 1), toggle, {
      class: "pair",
      "aria-pressed": String(index >= 0),
      "aria-label": said.pair(one, other),
      "data-key": `pair ${one} ${other}`,
    }));
}
