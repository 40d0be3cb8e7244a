// Scenarios and objectives.

import { button, el, imageOf, refill, textInput } from "./dom.js";
import { moveUp, symbolsOf } from "./edits.js";

export function drawScenarios(work, panel, store) {
  const { model } = store;
  const regions = model.regions.map(([, name]) => name);
  const rows = model.scenario.map((scenario, i) => row(scenario, i, regions, store));
  const add = () => store.edit((m) => {
    m.scenario.push({ name: "", players: m.scenario.at(-1)?.players ?? 2, flourishing: [] });
    store.focus(`scenario ${m.scenario.length - 1} name`);
  });
  refill(work, el("div", { class: "sheet" },
    el("table", {},
      el("thead", {}, el("tr", {},
        el("th", {}, "Scenario"), el("th", {}, "Players"),
        regions.map((name) => el("th", { class: "region" }, name)), el("th", {}))),
      el("tbody", {}, rows)),
    button("+ Scenario", add, { class: "add", "data-key": "scenario add" })));
  refill(panel, el("p", { class: "hint" },
    "Tick the regions that flourish; all others are inactive."));
}

function row(scenario, i, regions, store) {
  const change = (keys) => store.edit((model) => Object.assign(model.scenario[i], keys));
  const unknown = scenario.flourishing.filter((name) => !regions.includes(name));
  const tick = (name, on) => {
    const chosen = new Set(scenario.flourishing.filter((other) => other !== name));
    if (on) chosen.add(name);
    change({ flourishing: [...regions, ...unknown].filter((other) => chosen.has(other)) });
  };
  const box = (name) => el("td", { class: "tick" }, el("input", {
    type: "checkbox",
    checked: scenario.flourishing.includes(name),
    onchange: (event) => tick(name, event.target.checked),
    "aria-label": `${name} flourishes in ${scenario.name}`,
    "data-key": `scenario ${i} ${name}`,
  }));
  return el("tr", { "data-entry": `scenario ${i}` },
    el("td", {}, textInput(`scenario ${i} name`, scenario.name, (name) => change({ name }), {
      "aria-label": "Name of the scenario",
    })),
    el("td", {}, el("select", {
      onchange: (event) => change({ players: Number(event.target.value) }),
      "aria-label": "Players",
      "data-key": `scenario ${i} players`,
    }, [...new Set([2, 3, 4, scenario.players])].map((n) =>
      el("option", { value: n, selected: n === scenario.players }, String(n))))),
    regions.map(box),
    el("td", { class: "row" },
      unknown.map((name) => button(`${name} ×`, () => tick(name, false), { title: "Remove" })),
      button("↑", () => store.edit((model) => moveUp(model.scenario, i)), {
        disabled: i === 0, "aria-label": `Move ${scenario.name} up`, "data-key": `scenario ${i} up`,
      }),
      button("×", () => store.edit((model) => model.scenario.splice(i, 1)), {
        "aria-label": `Remove ${scenario.name}`, "data-key": `scenario ${i} x`,
      })));
}

/** Draws a square of all pairs of symbols; the pairs that are objectives are marked. */
export function drawObjectives(work, panel, store) {
  const { model, answer } = store;
  const symbols = [...new Set([...symbolsOf(model), ...model.objective.flat()])].sort();
  const icon = (name) => answer.symbols[name]
    ? el("img", { src: imageOf(answer.symbols[name]), alt: name, title: name })
    : el("span", {}, name);
  const heads = symbols.slice(1).map((name) => el("th", {}, icon(name)));
  const rows = symbols.slice(0, -1).map((one, i) => el("tr", {},
    el("th", {}, icon(one), el("small", {}, one)),
    symbols.slice(1).map((other, j) => (j >= i ? cell(one, other, store) : el("td", {})))));
  refill(work, el("div", { class: "sheet" }, symbols.length > 1
    ? el("table", { class: "pairs" },
      el("thead", {}, el("tr", {}, el("th", {}), heads)), el("tbody", {}, rows))
    : el("p", {}, "Objectives pair the symbols of cities. Add cities first.")));
  const list = model.objective.map((pair) => pair.join(" and "));
  refill(panel, el("p", { class: "hint" },
    "Click a square to make an objective of its two symbols, or to remove it. The number in it ",
    "is the objective's place in the file."),
  el("h3", {}, `${list.length} objectives`),
  el("ol", {}, list.map((text) => el("li", {}, text))));
}

function cell(one, other, store) {
  const isIt = (pair) => [...pair].sort().join("\n") === [one, other].sort().join("\n");
  const index = store.model.objective.findIndex(isIt);
  const toggle = () => store.edit((model) => {
    if (index < 0) model.objective.push([one, other]);
    else model.objective = model.objective.filter((pair) => !isIt(pair));
  });
  return el("td", { "data-entry": index < 0 ? null : `objective ${index}` },
    button(index < 0 ? "" : String(index + 1), toggle, {
      class: "pair",
      "aria-pressed": String(index >= 0),
      "aria-label": `${one} and ${other}`,
      "data-key": `pair ${one} ${other}`,
    }));
}
