// The tables that this browser has sat at.

import { button, make } from "../common/dom.js";
import { forgetTable, tables } from "../common/storage.js";

/** Lists this browser's tables in a box, which is hidden when there are none. */
export function showTables(box, list) {
  const kept = tables();
  box.hidden = !kept.length;
  list.replaceChildren(...kept.map((table) => row(table, () => showTables(box, list))));
}

function row({ id, title, settings, over }, again) {
  const forget = () => {
    forgetTable(id);
    again();
  };
  const name = title || `Table ${id}`;
  return make(
    "li",
    {},
    make("a", { href: `/table/${encodeURIComponent(id)}` }, over ? "Look" : "Resume"),
    make("span", {}, name, settings?.scenario ? ` · ${settings.scenario}` : ""),
    make("small", {}, over ? "over" : ""),
    button("Forget", forget, { class: "small", "aria-label": `Forget ${name}` }),
  );
}
