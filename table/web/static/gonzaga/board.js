// The board: the server's layers, and highlights, pointer, wheel and cursor above them.

import { fill, words } from "../words/index.js";
import { drawn, make, makeSvg } from "../common/dom.js";
import { axialPoint, corners, key, toAxial } from "../common/geometry.js";
import { showsCoordinates } from "./legend.js";
import { placedNames } from "./names.js";
import { outline } from "./pieces.js";
import { boxPicture } from "../common/shapes.js";
import { Zoom } from "./zoom.js";

// Beside and above the hexes: little, or room for their numbers.
const MARGINS = { false: [6, 6], true: [36, 20] };
// From the lowest; sites and names stay readable above pieces and highlights.
const LAYERS = [
  ...["ground", "coordinates", "fiefs", "moved", "dim", "spots", "hints", "ghost", "preview", "chosen"],
  ...["marks", "rings", "outlines", "names", "labels", "cursor"],
];
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * A board in a container.
 *
 * `handlers` may have: `point(at)`, `leave()`, `pick(at)`, `turn(direction)` for the wheel (true
 * if it was used; otherwise the wheel zooms), and `cursor(cell)`. Points are `[x, y]` in the
 * drawing's units.
 */
export class Board {
  constructor(container) {
    this.handlers = {};
    this.wanted = []; // symbols of cities whose names come first
    this.layers = Object.fromEntries(
      LAYERS.map((name) => [name, makeSvg("g", { class: `layer-${name}` })]),
    );
    // What the server drew beside the hexes, such as its title, is left out in any window.
    this.edge = makeSvg("rect");
    const edge = makeSvg("clipPath", { id: "board-edge" }, this.edge);
    this.layers.ground.setAttribute("clip-path", "url(#board-edge)");
    this.svg = makeSvg(
      "svg",
      { class: "board", tabindex: 0, role: "application", "aria-describedby": "board-help" },
      edge,
      ...Object.values(this.layers),
    );
    this.scroll = make("div", { class: "board-scroll" }, this.svg);
    this.note = make("p", { class: "reconstruction" });
    this.place = make("p", { class: "place", hidden: true });
    container.prepend(this.scroll, this.place);
    container.after(this.note);
    this.zooming = new Zoom(this.svg, () => this.sizeNames());
    this.listen();
  }

  /** Shows a board as `/api/board` describes it. */
  setBoard(data) {
    this.data = data;
    this.hexes = new Map(data.hexes.map((hex) => [key(hex.cell), hex]));
    this.sites = new Map(data.sites.map((site) => [key(site.cell), site]));
    for (const name of ["ground", "coordinates", "marks", "names"]) {
      this.layers[name].replaceChildren(drawn(data[name]));
    }
    const points = data.hexes[0].corners.split(" ").map((text) => text.split(",").map(Number));
    const xs = points.map(([x]) => x);
    this.hexWidth = Math.max(...xs) - Math.min(...xs);
    this.crop();
    this.readNames();
    this.svg.setAttribute("aria-label", fill(words.gonzaga.mapOf, data.title));
    if (!this.cursorCell) this.cursorCell = this.nearest(this.center()).cell;
  }

  /** Says what the map is (R9.1). */
  setNote(view, isGenerated) {
    const say = isGenerated ? words.gonzaga.generated : words.gonzaga.reconstruction;
    this.note.hidden = !view.reconstruction;
    this.note.textContent = fill(say, view.edition);
  }

  setPieces(pieces) {
    this.layers.fiefs.replaceChildren(drawn(pieces.fiefs));
    this.layers.rings.replaceChildren(drawn(pieces.rings));
  }

  /** Returns the drawings of the pieces that a move has put on cells. */
  piecesOn(kind, cells) {
    const keys = new Set(cells.map(key));
    const layer = this.layers[kind === "fief" ? "fiefs" : "rings"];
    /** @type {NodeListOf<SVGGElement>} */
    const pieces = layer.querySelectorAll("[data-cell]");
    return [...pieces].filter((piece) => keys.has(piece.dataset.cell));
  }

  /** Reads where the names are, and how large, as the map was drawn. */
  readNames() {
    const texts = /** @type {SVGTextElement[]} */ ([...this.layers.names.querySelectorAll("text")]);
    this.names = texts.map((text) => {
      const [x, y, size] = ["x", "y", "font-size"].map((name) => Number(text.getAttribute(name)));
      return { text, x, y, size, width: text.getComputedTextLength() };
    });
    this.marks = this.data.sites.map((site) => {
      const [x, y] = this.pointOf(site.cell);
      return { x, y: y - 0.13 * this.hexWidth, radius: 0.16 * this.hexWidth };
    });
    this.sizeNames();
  }

  /** Shows the names that can be read at this size; those of cities that a player wants first. */
  sizeNames() {
    if (!this.names) return;
    const pixels = this.pixels();
    const names = this.names.map((name, i) => ({
      ...name,
      first: this.wanted.includes(this.data.sites[i].symbol),
    }));
    const [left, , width] = this.box;
    const places = placedNames(names, this.marks, pixels, [left, left + width]);
    names.forEach(({ text }, i) => {
      const { x, y, size } = places[i];
      text.style.display = size ? "" : "none";
      if (!size) return;
      const shown = { x, y, "font-size": size, "stroke-width": size / 4 };
      for (const [name, value] of Object.entries(shown)) text.setAttribute(name, String(value));
    });
  }

  /** Fits the drawing to the hexes, without its title and legend. */
  crop() {
    const shown = showsCoordinates();
    this.layers.coordinates.style.display = shown ? "" : "none";
    const margin = MARGINS[shown];
    const [xs, ys] = [0, 1].map((i) => this.data.hexes.map((hex) => hex.center[i]));
    const beside = this.hexWidth / 2 + margin[0];
    const above = this.hexWidth / Math.sqrt(3) + margin[1];
    const [left, top] = [Math.min(...xs) - beside, Math.min(...ys) - above];
    this.box = [left, top, Math.max(...xs) + beside - left, Math.max(...ys) + above - top];
    this.svg.setAttribute("viewBox", this.box.join(" "));
    ["x", "y", "width", "height"].forEach((name, i) => this.edge.setAttribute(name, this.box[i]));
  }

  center() {
    const [left, top, width, height] = this.box;
    return [left + width / 2, top + height / 2];
  }

  /**
   * Returns the hex next to a point.
   *
   * @param {number[]} point
   */
  nearest([x, y]) {
    let [found, least] = [null, Infinity];
    for (const hex of this.hexes.values()) {
      const distance = (hex.center[0] - x) ** 2 + (hex.center[1] - y) ** 2;
      if (distance < least) [found, least] = [hex, distance];
    }
    return found;
  }

  /** Returns the hex under a point, or null beside the map. */
  under(at) {
    const hex = this.nearest(at);
    const distance = Math.hypot(hex.center[0] - at[0], hex.center[1] - at[1]);
    return distance <= this.hexWidth * 0.6 ? hex : null;
  }

  /** Returns the centre of a cell, also beside the map. */
  pointOf(cell) {
    const { cell: known, center } = this.data.hexes[0];
    const [x, y] = axialPoint(toAxial(cell));
    const [x0, y0] = axialPoint(toAxial(known));
    return [center[0] + (x - x0) * this.hexWidth, center[1] + (y - y0) * this.hexWidth];
  }

  /** Replaces what a highlight shows. */
  show(name, ...shapes) {
    this.layers[name].replaceChildren(...shapes.filter(Boolean));
  }

  clear(...names) {
    for (const name of names) this.layers[name].replaceChildren();
  }

  /** Returns a hex as a polygon; a cell beside the map has none. */
  polygon(cell, attributes) {
    const hex = this.hexes.get(key(cell));
    return hex ? makeSvg("polygon", { points: hex.corners, ...attributes }) : null;
  }

  /** Shows hexes that can be chosen, with one contour around those that lie together. */
  showSpots(cells) {
    const edge = makeSvg("path", { d: outline(this, cells), class: "spots-edge" });
    this.show("spots", ...cells.map((cell) => this.polygon(cell, { class: "spot" })), edge);
  }

  /** Returns a hex at any point, also beside the map. */
  polygonAt(at, attributes) {
    return makeSvg("polygon", { points: corners(at, this.hexWidth), ...attributes });
  }

  /** Says what is on a hex, for people who hear the page. */
  describe(cell) {
    const hex = this.hexes.get(key(cell));
    const site = this.sites.get(key(cell));
    const where = fill(hex?.region ? words.table.whereIn : words.table.where, ...cell, hex?.region);
    return site ? `${this.siteWords(site)}, ${where}` : where;
  }

  siteWords({ name, kind, symbol, sea }) {
    return `${name}, ${kind === "city" ? fill(words.table.city, symbol) : fill(words.table.harbor, sea)}`;
  }

  /** Names the site on a hex in a corner of the map, whose name may have no room there; or none. */
  showPlace(cell) {
    const site = cell && this.sites.get(key(cell));
    this.place.hidden = !site;
    if (!site) return;
    const picture = site.kind === "city" ? this.data.symbols[site.symbol] : this.data.legend.harbor;
    const region = this.hexes.get(key(cell)).region;
    const text = this.siteWords(site).slice(site.name.length);
    this.place.replaceChildren(boxPicture(picture, 20), make("b", {}, site.name), `${text}, ${region}`);
  }

  /** How much larger than its window the map is drawn; 1 fits it. */
  get zoom() {
    return this.zooming.scale;
  }

  /** Zooms in or out around the middle of what is seen. */
  setZoom(zoom) {
    this.zooming.set(zoom);
  }

  /** Returns a point of the window in the drawing's units. */
  pointAt({ clientX, clientY }) {
    const { left, top, width, height } = this.svg.getBoundingClientRect();
    const [x, y] = this.center();
    const scale = this.pixels();
    return [x + (clientX - left - width / 2) / scale, y + (clientY - top - height / 2) / scale];
  }

  /** Returns the pixels of the window to a unit of the drawing. */
  pixels() {
    const { width, height } = this.svg.getBoundingClientRect();
    return Math.min(width / this.box[2], height / this.box[3]);
  }

  /** Moves the cursor to a cell and draws it. */
  setCursor(cell) {
    this.cursorCell = cell;
    this.showCursor();
    this.showPlace(cell);
    this.handlers.cursor?.(cell);
  }

  /** Draws the cursor where it is. */
  showCursor() {
    this.show("cursor", this.polygon(this.cursorCell, { class: "cursor" }));
  }

  get cursorIsShown() {
    return this.layers.cursor.hasChildNodes();
  }

  listen() {
    this.svg.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") return;
      const at = this.pointAt(event);
      this.showPlace(this.under(at)?.cell);
      this.handlers.point?.(at);
    });
    this.svg.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "touch") return;
      this.showPlace(null);
      this.handlers.leave?.();
    });
    this.svg.addEventListener("click", (event) => {
      if (this.zooming.wasDragged(event)) return;
      this.clear("cursor");
      const at = this.pointAt(event);
      this.showPlace(this.under(at)?.cell);
      this.handlers.pick?.(at);
    });
    this.svg.addEventListener(
      "wheel",
      (event) => {
        // The wheel turns a fief that is in hand; with Ctrl, and else, it zooms, as a pinch does.
        if (!event.ctrlKey && this.handlers.turn?.(Math.sign(event.deltaY))) event.preventDefault();
        else this.zooming.onWheel(event);
      },
      { passive: false },
    );
    this.svg.addEventListener("keydown", (event) => this.moveCursor(event));
    this.svg.addEventListener("focus", () => this.svg.matches(":focus-visible") && this.showCursor());
    this.svg.addEventListener("blur", () => this.clear("cursor"));
  }

  moveCursor(event) {
    const step = ARROWS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [row, column] = this.cursorCell;
    let next = [row + step[0], column + step[1]];
    // A gap in the map is jumped over.
    for (let i = 0; i < 24 && !this.hexes.has(key(next)); i += 1) {
      next = [next[0] + step[0], next[1] + step[1]];
    }
    // A cursor that was hidden is shown before it moves; at the edge of the map it stays.
    this.setCursor(this.cursorIsShown && this.hexes.has(key(next)) ? next : this.cursorCell);
  }
}
