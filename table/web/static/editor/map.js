// The map that one works on. The "Picture" tab shows it as the project draws it.

import { button, make, makeSvg } from "../common/dom.js";
import { neighbors } from "../common/geometry.js";
import { words } from "../words/index.js";
import { OFF, height, inside, isRegion, markAt, nameOf, siteAt, width } from "./edits.js";
import { imageOf, refill } from "./fields.js";
import {
  WIDTH, center, corners, extent, points, same, side, sideBetween,
} from "./hexes.js";
import { listen } from "./tools.js";

const said = words.editor;
const EDGE = 24; // room for coordinates

export class MapView {
  constructor(store, say) {
    this.store = store;
    this.zoom = null; // its buttons
    this.drawing = makeSvg("svg", {
      id: "map",
      tabindex: 0,
      role: "application",
      "aria-label": said.mapHelp,
      "data-key": "map",
    });
    this.box = make("div", { class: "scroll" }, this.drawing);
    this.under = makeSvg("g"); // the hexes, which take the pointer
    this.over = makeSvg("g", { "pointer-events": "none" });
    this.hover = makeSvg("g", { "pointer-events": "none" });
    this.drawing.append(this.under, this.over, this.hover);
    listen(this.drawing, store, this, say);
  }

  /** Fills the work area. */
  draw(work) {
    const { ui } = this.store;
    this.zoom ??= make("div", { class: "zoom" },
      button("−", () => this.scale(1 / 1.25), { "aria-label": said.smaller }),
      button("+", () => this.scale(1.25), { "aria-label": said.larger }));
    if (!work.contains(this.box)) refill(work, this.box, this.zoom);
    const { model } = this.store;
    const [wide, high] = extent(height(model), width(model));
    this.drawing.setAttribute("viewBox", `${-EDGE} ${-EDGE} ${wide + 2 * EDGE} ${high + 2 * EDGE}`);
    const ratio = (high + 2 * EDGE) / (wide + 2 * EDGE);
    this.drawing.style.width = `${100 * ui.zoom * this.fit(ratio)}%`;
    this.hexes();
    if (this.polygons.parentNode !== this.under) this.under.replaceChildren(this.polygons);
    this.over.replaceChildren(
      this.coordinates(), this.borders(), this.barriers(), this.faults(), this.sites(),
      this.marker());
    this.drawing.classList.toggle("painting", ui.tool === "terrain");
  }

  /** Returns the part of the width at which the whole map is seen. */
  fit(ratio) {
    if (matchMedia("(max-width: 800px)").matches) return 1;
    return Math.min(1, (this.box.clientHeight - 6) / (this.box.clientWidth * ratio));
  }

  scale(by) {
    this.store.show({ zoom: Math.min(4, Math.max(0.5, this.store.ui.zoom * by)) });
  }

  cells() {
    const { model } = this.store;
    return model.map.flatMap((row, r) => row.map((_, c) => [r, c]));
  }

  coordinates() {
    const { model } = this.store;
    const text = (x, y, value) =>
      makeSvg("text", { x, y, class: "coordinate", "text-anchor": "middle" }, String(value));
    const [wide] = extent(height(model), width(model));
    return makeSvg("g", { "aria-hidden": "true" },
      model.map.map((_, row) => text(-EDGE / 2, center([row, 0])[1] + 3, row)),
      model.map.map((_, row) => text(wide + EDGE / 2, center([row, 0])[1] + 3, row)),
      Array.from({ length: width(model) }, (_, col) => text(center([0, col])[0], -EDGE / 3, col)));
  }

  /** Colours the hexes; new ones are made only when the map's size has changed. */
  hexes() {
    const { model } = this.store;
    const cells = this.cells();
    const size = [height(model), width(model)].join();
    if (this.size !== size) {
      this.size = size;
      this.polygons = makeSvg("g", {}, cells.map((cell) =>
        makeSvg("polygon", { points: points(corners(cell)), "data-cell": cell.join() })));
    }
    cells.forEach((cell, i) => {
      const mark = markAt(model, cell);
      this.polygons.children[i].setAttribute("class", mark === OFF ? "off" : "hex");
      this.polygons.children[i].setAttribute("fill", this.color(mark));
    });
  }

  /** Returns the colour of a mark, as the pictures have it. */
  color(mark) {
    const { model, look } = this.store;
    for (const table of ["regions", "seas"]) {
      const index = model[table].findIndex(([known]) => known === mark);
      const colors = look[table];
      if (index >= 0) return colors[index % colors.length];
    }
    return mark === OFF ? "transparent" : "#d33";
  }

  borders() {
    const { model } = this.store;
    const lines = [];
    for (const cell of this.cells()) {
      const mark = markAt(model, cell);
      neighbors(cell).slice(0, 3).forEach((other, direction) => {
        const next = inside(model, other) ? markAt(model, other) : OFF;
        if (next === mark || next === OFF || mark === OFF) return;
        const land = Number(isRegion(model, mark)) + Number(isRegion(model, next));
        if (land) lines.push(this.line(side(cell, direction), land === 1 ? "coast" : "border"));
      });
    }
    return makeSvg("g", {}, lines);
  }

  line(ends, kind) {
    const [[x1, y1], [x2, y2]] = ends;
    return makeSvg("line", { x1, y1, x2, y2, class: kind });
  }

  barriers() {
    const { model, ui } = this.store;
    const own = (i) => ui.tool === "barrier" && i === ui.barrier;
    return makeSvg("g", {}, model.barrier.flatMap(({ edges }, i) =>
      edges.flatMap(([one, other]) => {
        const ends = sideBetween(one, other);
        if (!ends) return [];
        return [this.line(ends, "barrier"), own(i) ? this.line(ends, "barrier own") : ""];
      })));
  }

  sites() {
    return makeSvg("g", {}, ["city", "harbor"].flatMap((kind) =>
      this.store.model[kind].map((site, i) => this.site(kind, site, i))));
  }

  site(kind, site, index) {
    const { answer, look, ui } = this.store;
    const [x, y] = center(site.at);
    const icon = kind === "city" ? answer.symbols[site.symbol] : look.icons.anchor;
    const size = WIDTH * 0.52;
    const at = { x: x - size / 2, y: y - size / 2 - WIDTH * 0.12, width: size, height: size };
    const chosen = ui.tool === kind && ui.selected === index;
    const length = Math.max(1, site.name.length);
    return makeSvg("g", { class: `site ${kind}` },
      chosen && makeSvg("circle", { cx: x, cy: y - WIDTH * 0.12, r: WIDTH * 0.32, class: "chosen" }),
      icon && makeSvg("image", { href: imageOf(icon), ...at }),
      makeSvg("text", {
        x,
        y: y + WIDTH * 0.33,
        "text-anchor": "middle",
        "font-size": Math.min(WIDTH * 0.21, (WIDTH * 1.55) / length),
      }, site.name || "?"));
  }

  faults() {
    const { answer, ui } = this.store;
    const own = new Map(); // cell -> whether something on it is at fault, or only counted wrongly
    for (const fault of answer.faults) {
      if (fault.file === "objectives") continue; // half of all cities; a click shows them
      for (const cell of fault.cells) {
        own.set(cell.join(), own.get(cell.join()) || fault.entry !== null);
      }
    }
    const rings = [...own].map(([key, strong]) => makeSvg("polygon", {
      points: points(corners(key.split(",").map(Number), 0.86)),
      class: strong ? "fault strong" : "fault",
      "data-fault": key,
    }));
    const flashes = ui.flash.map((cell) =>
      makeSvg("polygon", { points: points(corners(cell, 0.98)), class: "flash" }));
    return makeSvg("g", {}, rings, flashes);
  }

  /** Returns the outline of the hex that the keyboard is on. */
  marker() {
    const { cursor } = this.store.ui;
    return makeSvg("polygon", { points: points(corners(cursor, 0.92)), class: "cursor" });
  }

  /** Shows what a click would change: hexes, or a side. */
  preview(cells, ends) {
    this.hover.replaceChildren(
      ...cells.map((cell) =>
        makeSvg("polygon", { points: points(corners(cell, 0.94)), class: "hover" })),
      ...(ends ? [this.line(ends, "hover")] : []));
  }

  /** Returns what is on a hex, in words. */
  words(cell) {
    const { model, answer } = this.store;
    const mark = markAt(model, cell);
    const parts = [mark === OFF ? said.offMap : nameOf(model, mark) ?? said.markOf(mark)];
    for (const kind of ["city", "harbor"]) {
      const index = siteAt(model, kind, cell);
      if (index < 0) continue;
      const site = model[kind][index];
      parts.push(`${said[kind]} ${site.name || said.noName} (${site.symbol ?? site.sea})`);
    }
    for (const fault of answer.faults) {
      if (fault.cells.some((other) => same(other, cell))) parts.push(said.faultIs(fault.text));
    }
    for (const warning of answer.warnings) {
      if (warning.cells.some((other) => same(other, cell))) {
        parts.push(said.warningIs(warning.text));
      }
    }
    return said.hexIs(cell[0], cell[1], parts.join(", "));
  }

  /** Scrolls a hex into view. */
  reveal(cell) {
    const polygon = this.drawing.querySelector(`[data-cell="${cell.join()}"]`);
    polygon?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
