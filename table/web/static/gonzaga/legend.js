// The legend: what the signs on the map mean, and whether its rows and columns are numbered.

import { words } from "../words/index.js";
import { make } from "../common/dom.js";
import { boxPicture } from "../common/shapes.js";
import { keepSetting, setting } from "../common/storage.js";

/** Fills the legend's dialog for a map; `switched()` is called when coordinates go on or off. */
export function fillLegend(dialog, look, note, switched) {
  const { legend } = words.table;
  const box = make("input", {
    type: "checkbox",
    checked: showsCoordinates(),
    onchange: () => {
      keepSetting("coordinates", box.checked);
      switched();
    },
  });
  dialog.replaceChildren(
    make("h2", { id: "legend-title" }, legend.title),
    list(legend.symbols, Object.entries(look.symbols)),
    list(
      legend.map,
      Object.entries(look.legend).map(([name, picture]) => [legend[name] ?? name, picture]),
    ),
    make("dl", { class: "legend" }, ...marks(legend)),
    note ? make("p", { class: "quiet" }, note) : "",
    make("label", { class: "switch" }, box, ` ${legend.coordinates}`),
    make("button", { type: "button", class: "primary", onclick: () => dialog.close() }, legend.close),
  );
}

/** Returns whether rows and columns are numbered; they are not until somebody wants it. */
export const showsCoordinates = () => setting("coordinates", false);

const list = (title, pairs) =>
  make(
    "div",
    {},
    make("h3", {}, title),
    make("dl", { class: "legend" }, ...pairs.flatMap(([text, picture]) => row(text, boxPicture(picture, 26)))),
  );

/** Returns the marks that the page itself draws. */
const marks = (legend) =>
  ["choosable", "last", "hint"].flatMap((name) =>
    row(legend[name], make("span", { class: `legend-mark ${name}` })),
  );

const row = (text, picture) => [make("dt", {}, picture), make("dd", {}, text)];
