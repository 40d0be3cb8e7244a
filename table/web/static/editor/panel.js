// The panel beside the map: the tools, and what they work on.

import { button, make } from "../common/dom.js";
import { plural, words } from "../words/index.js";
import {
  OFF, addTerrain, changeMark, grow, height, markAt, moveUp, nameOf, removeTerrain, rename,
  renameSymbol, shrink, symbolsOf, width,
} from "./edits.js";
import { imageOf, refill, textInput } from "./fields.js";
import { remove } from "./tools.js";

const text = words.editor;

export class Panel {
  constructor(store, map) {
    this.store = store;
    this.map = map;
  }

  draw(panel) {
    const { ui } = this.store;
    const tools = Object.entries(text.toolNames).map(([tool, title]) =>
      button(title, () => this.store.show({ tool, selected: null }), {
        "aria-pressed": String(ui.tool === tool),
        "data-key": `tool ${tool}`,
      }));
    refill(panel,
      make("div", { class: "segments", role: "group", "aria-label": text.tool }, tools),
      { terrain: () => this.terrain(), barrier: () => this.barriers() }[ui.tool]?.() ??
        this.sites(ui.tool),
      this.size());
  }

  terrain() {
    const { ui } = this.store;
    const sizes = Object.entries(text.brushes).map(([size, title]) =>
      button(title, () => this.store.show({ size }), {
        "aria-pressed": String(ui.size === size),
        "data-key": `size ${size}`,
      }));
    return make("div", {},
      make("div", { class: "segments small", role: "group", "aria-label": text.brush }, sizes),
      make("ul", { class: "brushes" }, this.brush(OFF, text.offMap)),
      this.table("regions", text.region),
      this.table("seas", text.sea),
      make("p", { class: "hint" }, text.paintHint));
  }

  /** Returns the list of regions or seas, in the order of the region cards. */
  table(table, title) {
    const { store } = this;
    const rows = store.model[table].map(([mark, name], i) => {
      const key = `${table} ${i}`;
      return this.brush(mark, make("span", { class: "row" },
        textInput(`${key} mark`, mark, (given) => this.mark(table, i, given), {
          class: "mark", maxlength: 3, "aria-label": text.markField(name),
        }),
        textInput(`${key} name`, name, (given) => store.edit((m) => rename(m, table, i, given)), {
          "aria-label": text.nameField(name),
        }),
        button("↑", () => store.edit((m) => moveUp(m[table], i)), {
          title: text.moveUp, disabled: i === 0, "data-key": `${key} up`,
          "aria-label": text.moveUpOf(name),
        }),
        button("×", () => store.edit((m) => removeTerrain(m, table, i)), {
          title: text.remove, "data-key": `${key} x`, "aria-label": text.removeOf(name),
        })));
    });
    const add = button(`+ ${title}`, () => {
      store.edit((m) => (store.ui.brush = addTerrain(m, table)));
    }, { class: "add", "data-key": `${table} add` });
    const heading = table === "regions" ? text.regionsHeading : text.seasHeading;
    return make("div", {}, make("h2", {}, heading), make("ul", { class: "brushes" }, rows), add);
  }

  brush(mark, content) {
    const { store } = this;
    const number = store.model.map.flat().filter((one) => one === mark).length;
    const chosen = store.ui.brush === mark;
    const swatch = button("", () => store.show({ brush: mark }), {
      class: mark === OFF ? "swatch off" : "swatch",
      style: `background: ${this.map.color(mark)}`,
      "aria-pressed": String(chosen),
      "aria-label": text.paint(nameOf(store.model, mark) ?? text.offMap),
      "data-key": `brush ${mark}`,
    });
    return make("li", { class: chosen && "chosen" }, swatch, content,
      make("span", { class: "count", title: text.hexes }, String(number)));
  }

  mark(table, index, mark) {
    let free = false;
    this.store.edit((model) => (free = changeMark(model, table, index, mark)));
    if (free) this.store.show({ brush: mark });
    else this.store.say(text.notFree(mark));
  }

  sites(kind) {
    const { store } = this;
    const site = store.model[kind][store.ui.selected];
    const list = store.model[kind].map((one, i) => button(
      `${one.name || "?"} · ${nameOf(store.model, markAt(store.model, one.at)) ?? text.notOnLand}`,
      () => this.select(kind, i),
      { class: "link", "data-key": `${kind} ${i}` }));
    const number = store.model[kind].length;
    return make("div", {},
      site ? this.form(kind, site) : make("p", { class: "hint" }, text.siteHint[kind]),
      make("h2", {}, plural(number, text.sites[kind])),
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
      make("legend", {}, text.siteOn[kind](...site.at)),
      make("label", {}, `${text.editionName} `, textInput(`${kind} name`, site.name, (name) => change({ name }))),
      kind === "city" ? this.symbols(site, change) : this.seas(site, change),
      button(text.removeSite[kind], () => remove(store, kind, index), { class: "add" }));
  }

  symbols(site, change) {
    const { store } = this;
    const used = symbolsOf(store.model);
    const offered = Object.entries(store.answer.symbols).filter(([name]) =>
      used.includes(name) || used.length < 8);
    const number = (name) => store.model.city.filter((city) => city.symbol === name).length;
    return make("div", {},
      make("div", { class: "symbols", role: "group", "aria-label": text.symbol },
        offered.map(([name, icon]) => make("button", {
          type: "button",
          onclick: () => change({ symbol: name }),
          title: name,
          "aria-label": name,
          "aria-pressed": String(site.symbol === name),
          "data-key": `symbol ${name}`,
        }, make("img", { src: imageOf(icon), alt: "" }), make("small", {}, String(number(name)))))),
      make("label", {}, `${text.otherSymbol} `,
        textInput("symbol", site.symbol, (symbol) => change({ symbol }))),
      number(site.symbol) > 1 && make("label", {}, `${text.renameSymbol} `,
        textInput("all symbols", site.symbol, (name) =>
          store.edit((model) => renameSymbol(model, site.symbol, name)))));
  }

  seas(site, change) {
    const names = this.store.model.seas.map(([, name]) => name);
    const options = names.includes(site.sea) ? names : [site.sea, ...names];
    const number = (name) => this.store.model.harbor.filter(({ sea }) => sea === name).length;
    return make("label", {}, `${text.sea} `, make("select", {
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
        "aria-label": text.draw(barrier.name),
        "data-key": `barrier ${i}`,
      }),
      make("span", { class: "row" },
        textInput(`barrier ${i} name`, barrier.name, (name) =>
          store.edit((model) => (model.barrier[i].name = name)), { "aria-label": text.editionName }),
        button("×", () => store.edit((model) => model.barrier.splice(i, 1)), {
          title: text.remove, "aria-label": text.removeOf(barrier.name), "data-key": `barrier ${i} x`,
        })),
      make("span", { class: "count", title: text.sides }, String(barrier.edges.length))));
    const add = () => store.edit((model) => {
      model.barrier.push({ name: text.barrier(model.barrier.length + 1), edges: [] });
      store.ui.barrier = model.barrier.length - 1;
    });
    return make("div", {},
      make("ul", { class: "brushes" }, rows),
      button(text.addBarrier, add, { class: "add", "data-key": "barrier add" }),
      make("p", { class: "hint" }, text.barrierHint));
  }

  /** Returns the buttons that add and remove rows and columns. */
  size() {
    const { store } = this;
    const { model } = store;
    const pair = (edge) => make("span", { class: "pair" }, `${text.edges[edge]} `,
      button("+", () => store.edit((m) => grow(m, edge)), {
        "aria-label": text.addAt(text.edges[edge]), "data-key": `grow ${edge}`,
      }),
      button("−", () => store.edit((m) => shrink(m, edge)), {
        "aria-label": text.removeAt(text.edges[edge]), "data-key": `shrink ${edge}`,
      }));
    return make("div", { class: "size" },
      make("h2", {}, text.size(height(model), width(model))),
      ["top", "bottom", "left", "right"].map(pair));
  }
}
