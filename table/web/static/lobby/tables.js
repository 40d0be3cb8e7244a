// The tables that this browser has sat at.

import { button, make } from "../common/dom.js";
import { forgetTable, tables } from "../common/storage.js";
import { words } from "../words/index.js";

/** Lists this browser's tables in a box, which is hidden when there are none. */
export function showTables(box, list) {
  const kept = tables();
  box.hidden = !kept.length;
  list.replaceChildren(...kept.map((table) => row(table, () => showTables(box, list))));
}

function row({ id, title, settings, over }, again) {
  const said = words.lobby;
  const forget = () => {
    forgetTable(id);
    again();
  };
  const name = title || said.table(id);
  return make(
    "li",
    {},
    make("a", { href: `/table/${encodeURIComponent(id)}` }, over ? said.look : said.resume),
    make("span", {}, name, settings?.scenario ? ` · ${settings.scenario}` : ""),
    make("small", {}, [settings?.rated && said.rated, over && said.over].filter(Boolean).join(", ")),
    button(said.forget, forget, { class: "small", "aria-label": said.forgetTable(name) }),
  );
}
