// The panel beside the map: the tools, and what they work on.

import { button, make } from "../common/dom.js";
import {
  OFF, addTerrain, changeMark, grow, height, markAt, moveUp, nameOf, removeTerrain, rename,
  renameSymbol, shrink, symbolsOf, width,
} from "./edits.js";
import { imageOf, refill, textInput } from "./fields.js";
import { remove } from "./tools.js";

const TOOLS = { terrain: "Terrain", city: "Cities", harbor: "Harbors", barrier: "Barriers" };
const SIZES = { one: "one hex", seven: "seven", area: "fill" };

export class Panel {
  constructor(store, map) {
    this.store = store;
    this.map = map;
  }

  draw(panel) {
    const { ui } = this.store;
    const tools = Object.entries(TOOLS).map(([tool, title]) =>
      button(title, () => this.store.show({ tool, selected: null }), {
        "aria-pressed": String(ui.tool === tool),
        "data-key": `tool ${tool}`,
      }));
    refill(panel,
      make("div", { class: "segments", role: "group", "aria-label": "Tool" }, tools),
      { terrain: () => this.terrain(), barrier: () => this.barriers() }[ui.tool]?.() ??
        this.sites(ui.tool),
      this.size());
  }

  terrain() {
    const { ui } = this.store;
    const sizes = Object.entries(SIZES).map(([size, title]) =>
      button(title, () => this.store.show({ size }), {
        "aria-pressed": String(ui.size === size),
        "data-key": `size ${size}`,
      }));
    return make("div", {},
      make("div", { class: "segments small", role: "group", "aria-label": "Brush" }, sizes),
      make("ul", { class: "brushes" }, this.brush(OFF, "off the map")),
      this.table("regions", "Region"),
      this.table("seas", "Sea"),
      make("p", { class: "hint" },
        "Click or drag to paint; Alt+click takes a hex's mark. Or click a hex and type marks, ",
        "row by row: each key paints and moves on, Enter starts the next row."));
  }

  /** Returns the list of regions or seas, in the order of the region cards. */
  table(table, title) {
    const { store } = this;
    const rows = store.model[table].map(([mark, name], i) => {
      const key = `${table} ${i}`;
      return this.brush(mark, make("span", { class: "row" },
        textInput(`${key} mark`, mark, (text) => this.mark(table, i, text), {
          class: "mark", maxlength: 3, "aria-label": `Mark of ${name}`,
        }),
        textInput(`${key} name`, name, (text) => store.edit((m) => rename(m, table, i, text)), {
          "aria-label": `Name of ${name}`,
        }),
        button("↑", () => store.edit((m) => moveUp(m[table], i)), {
          title: "Move up", disabled: i === 0, "data-key": `${key} up`,
          "aria-label": `Move ${name} up`,
        }),
        button("×", () => store.edit((m) => removeTerrain(m, table, i)), {
          title: "Remove", "data-key": `${key} x`, "aria-label": `Remove ${name}`,
        })));
    });
    const add = button(`+ ${title}`, () => {
      store.edit((m) => (store.ui.brush = addTerrain(m, table)));
    }, { class: "add", "data-key": `${table} add` });
    const heading = table === "regions" ? "Regions, in the order of their cards" : "Seas";
    return make("div", {}, make("h3", {}, heading), make("ul", { class: "brushes" }, rows), add);
  }

  brush(mark, content) {
    const { store } = this;
    const number = store.model.map.flat().filter((one) => one === mark).length;
    const chosen = store.ui.brush === mark;
    const swatch = button("", () => store.show({ brush: mark }), {
      class: mark === OFF ? "swatch off" : "swatch",
      style: `background: ${this.map.color(mark)}`,
      "aria-pressed": String(chosen),
      "aria-label": `Paint ${nameOf(store.model, mark) ?? "off the map"}`,
      "data-key": `brush ${mark}`,
    });
    return make("li", { class: chosen && "chosen" }, swatch, content,
      make("span", { class: "count", title: "hexes" }, String(number)));
  }

  mark(table, index, mark) {
    let free = false;
    this.store.edit((model) => (free = changeMark(model, table, index, mark)));
    if (free) this.store.show({ brush: mark });
    else this.store.say(`"${mark}" is not a free mark; "." and blanks are not marks.`);
  }

  sites(kind) {
    const { store } = this;
    const site = store.model[kind][store.ui.selected];
    const list = store.model[kind].map((one, i) => button(
      `${one.name || "?"} · ${nameOf(store.model, markAt(store.model, one.at)) ?? "not on land"}`,
      () => this.select(kind, i),
      { class: "link", "data-key": `${kind} ${i}` }));
    const number = store.model[kind].length;
    const [one, many] = { city: ["city", "cities"], harbor: ["harbor", "harbors"] }[kind];
    return make("div", {},
      site ? this.form(kind, site) : make("p", { class: "hint" },
        `Click a hex to add a ${kind}, or one on the map to change it. Drag it to move it.`),
      make("h3", {}, `${number} ${number === 1 ? one : many}`),
      make("div", { class: "list" }, list));
  }

  select(kind, index) {
    const { at } = this.store.model[kind][index];
    this.store.show({ selected: index, flash: [at], cursor: at });
    this.map.reveal(at);
  }

  form(kind, site) {
    const { store } = this;
    const index = store.ui.selected;
    const change = (keys) => store.edit((model) => Object.assign(model[kind][index], keys));
    return make("fieldset", {},
      make("legend", {}, `${kind} on row ${site.at[0]}, column ${site.at[1]}`),
      make("label", {}, "Name ", textInput(`${kind} name`, site.name, (name) => change({ name }))),
      kind === "city" ? this.symbols(site, change) : this.seas(site, change),
      button(`Remove this ${kind}`, () => remove(store, kind, index), { class: "add" }));
  }

  symbols(site, change) {
    const { store } = this;
    const used = symbolsOf(store.model);
    const offered = Object.entries(store.answer.symbols).filter(([name]) =>
      used.includes(name) || used.length < 8);
    const number = (name) => store.model.city.filter((city) => city.symbol === name).length;
    return make("div", {},
      make("div", { class: "symbols", role: "group", "aria-label": "Symbol" },
        offered.map(([name, icon]) => make("button", {
          type: "button",
          onclick: () => change({ symbol: name }),
          title: name,
          "aria-label": name,
          "aria-pressed": String(site.symbol === name),
          "data-key": `symbol ${name}`,
        }, make("img", { src: imageOf(icon), alt: "" }), make("small", {}, String(number(name)))))),
      make("label", {}, "Other symbol ",
        textInput("symbol", site.symbol, (symbol) => change({ symbol }))),
      number(site.symbol) > 1 && make("label", {}, "Rename it everywhere ",
        textInput("all symbols", site.symbol, (name) =>
          store.edit((model) => renameSymbol(model, site.symbol, name)))));
  }

  seas(site, change) {
    const names = this.store.model.seas.map(([, name]) => name);
    const options = names.includes(site.sea) ? names : [site.sea, ...names];
    const number = (name) => this.store.model.harbor.filter(({ sea }) => sea === name).length;
    return make("label", {}, "Sea ", make("select", {
      "data-key": "sea",
      onchange: (event) => change({ sea: event.target.value }),
    }, options.map((name) =>
      make("option", { value: name, selected: name === site.sea }, `${name} (${number(name)})`))));
  }

  barriers() {
    const { store } = this;
    const rows = store.model.barrier.map((barrier, i) => make("li",
      { class: i === store.ui.barrier && "chosen" },
      button("", () => store.show({ barrier: i, flash: barrier.edges.flat() }), {
        class: "swatch barrier",
        "aria-pressed": String(i === store.ui.barrier),
        "aria-label": `Draw ${barrier.name}`,
        "data-key": `barrier ${i}`,
      }),
      make("span", { class: "row" },
        textInput(`barrier ${i} name`, barrier.name, (name) =>
          store.edit((model) => (model.barrier[i].name = name)), { "aria-label": "Name" }),
        button("×", () => store.edit((model) => model.barrier.splice(i, 1)), {
          title: "Remove", "aria-label": `Remove ${barrier.name}`, "data-key": `barrier ${i} x`,
        })),
      make("span", { class: "count", title: "sides" }, String(barrier.edges.length))));
    const add = () => store.edit((model) => {
      model.barrier.push({ name: `Barrier ${model.barrier.length + 1}`, edges: [] });
      store.ui.barrier = model.barrier.length - 1;
    });
    return make("div", {},
      make("ul", { class: "brushes" }, rows),
      button("+ Barrier", add, { class: "add", "data-key": "barrier add" }),
      make("p", { class: "hint" },
        "Click the side between two hexes to add it to the chosen barrier, or to remove it. ",
        "By keyboard: w and e are the upper sides of the hex, a and d left and right, z and x ",
        "the lower ones."));
  }

  /** Returns the buttons that add and remove rows and columns. */
  size() {
    const { store } = this;
    const { model } = store;
    const pair = (edge) => make("span", { class: "pair" }, `${edge} `,
      button("+", () => store.edit((m) => grow(m, edge)), {
        "aria-label": `Add at the ${edge}`, "data-key": `grow ${edge}`,
      }),
      button("−", () => store.edit((m) => shrink(m, edge)), {
        "aria-label": `Remove at the ${edge}`, "data-key": `shrink ${edge}`,
      }));
    return make("div", { class: "size" },
      make("h3", {}, `${height(model)} rows, ${width(model)} columns`),
      ["top", "bottom", "left", "right"].map(pair));
  }
}
