// The validator's faults and warnings: lists that lead to their places.

import { button, make } from "../common/dom.js";
import { plural, words } from "../words/index.js";
import { refill } from "./fields.js";

const said = words.editor;
const TABS = { board: "map", fiefs: "fiefs", scenarios: "scenarios", objectives: "objectives" };

const tabOf = (fault) => (fault.cells.length ? "map" : TABS[fault.file]);

export function drawFaults(section, store, map) {
  const { faults, number, warnings, error } = store.answer;
  if (error) {
    return refill(section, make("h2", {}, said.notChecked), make("p", { class: "error" }, error));
  }
  const hidden = number - faults.length;
  const title = number === 0 ? said.noFaults : plural(number, said.faults);
  refill(section, make("h2", { class: number ? "bad" : "good" }, title),
    groups(faults, store, map),
    hidden > 0 ? make("p", {}, said.more(hidden)) : null,
    warnings.length ? make("div", { class: "warnings" },
      make("h2", {}, plural(warnings.length, said.warnings)), make("p", {}, said.canBePlayed),
      groups(warnings, store, map)) : null);
}

/** Returns a list for each of an edition's files. */
function groups(faults, store, map) {
  return Object.entries(TABS).map(([file, tab]) => {
    const own = faults.filter((fault) => fault.file === file);
    return own.length ? make("div", {}, make("h3", {}, `${said.tabs[tab]}: ${own.length}`),
      make("ul", {}, own.map((fault) => make("li", {}, line(fault, store, map))))) : null;
  });
}

function line(fault, store, map) {
  const text = [fault.place, fault.what].filter(Boolean).join(": ");
  return button(text, () => goTo(fault, store, map), {
    class: "link", "data-key": `fault ${fault.text}`,
  });
}

/** Shows the place of a fault. */
function goTo(fault, store, map) {
  const [table, index] = fault.entry ?? [];
  const ui = { tab: tabOf(fault), flash: fault.cells, selected: null };
  if (table === "city" || table === "harbor") Object.assign(ui, { tool: table, selected: index });
  if (table === "barrier") Object.assign(ui, { tool: table, barrier: index });
  if (table === "regions" || table === "seas") {
    Object.assign(ui, { tool: "terrain", brush: store.model[table][index][0] });
  }
  if (fault.cells.length) ui.cursor = fault.cells[0];
  store.show(ui);
  if (fault.cells.length) map.reveal(fault.cells[0]);
  const place = document.querySelector(`[data-entry="${table} ${index}"]`);
  place?.scrollIntoView({ block: "nearest" });
  place?.classList.add("flash");
}
