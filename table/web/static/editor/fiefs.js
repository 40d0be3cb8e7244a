// The fiefs, drawn on small hex grids: a click adds a hex, then a castle, then removes both.

import { button, make, makeSvg } from "../common/dom.js";
import { toAxial, toCell } from "../common/geometry.js";
import { words } from "../words/index.js";
import { imageOf, refill } from "./fields.js";
import { WIDTH, center, corners, extent, moved, points, same } from "./hexes.js";

const said = words.editor;
const NUMBERS = Array.from({ length: 12 }, (_, i) => i + 1); // R1.6
const FRAME = [-2, 2, -2, 3]; // first and last row, first and last column

export class Fiefs {
  constructor(store) {
    this.store = store;
    this.origins = new Map(); // number -> axial shift of the tile's view
    this.cursors = new Map(); // number -> cell of the tile
    this.generation = 0; // of the model that the views are of
  }

  draw(work, panel) {
    if (this.generation !== this.store.generation) this.origins.clear();
    this.generation = this.store.generation;
    const { fief } = this.store.model;
    const first = (number) => fief.findIndex((one) => one.number === number);
    const tiles = NUMBERS.map((number) => this.tile(number, first(number)));
    const others = fief.flatMap((one, i) =>
      NUMBERS.includes(one.number) && first(one.number) === i ? [] : [this.tile(one.number, i)]);
    refill(work, make("div", { class: "tiles" }, tiles, others));
    refill(panel, make("p", { class: "hint" }, said.fiefHint));
  }

  tile(number, index) {
    const fief = this.store.model.fief[index] ?? { number, cells: [], castles: [] };
    const shift = this.origins.get(number) ?? [0, 0];
    const seen = fief.cells.map(([q, r]) => toCell([q + shift[0], r + shift[1]]));
    const [top, bottom, left, right] = frame(seen);
    const rows = bottom - top + 1, columns = right - left + 1;
    const base = top & 1 ? top - 1 : top; // odd rows stay odd
    /** @param {number[]} cell */
    const place = ([row, col]) => [row - base, col - left];
    const cells = [];
    for (let row = top; row <= bottom; row += 1) {
      for (let col = left; col <= right; col += 1) cells.push([row, col]);
    }
    const [wide, high] = extent(rows + (top - base), columns);
    const cursor = this.cursors.get(number) ?? [0, 0];
    const drawing = makeSvg("svg", {
      viewBox: `-3 -3 ${wide + 6} ${high + 6}`,
      tabindex: 0,
      role: "application",
      "aria-label": said.fiefHolds(number, fief.cells.length, fief.castles.length),
      "data-key": `tile ${number} ${index}`,
      onkeydown: (event) => this.press(event, number, index, cursor, [top, bottom, left, right]),
    }, cells.map((cell) => this.hex(cell, place(cell), seen, fief, () =>
      this.toggle(number, index, cell))),
    makeSvg("polygon", { points: points(corners(place(cursor), 0.85)), class: "cursor" }));
    return make("div", { class: "tile", "data-entry": `fief ${index}` },
      make("h2", {}, said.fief(number),
        fief.cells.length ? button(said.clear, () => this.store.edit((model) => {
          model.fief.splice(index, 1);
        }), { class: "link", "data-key": `clear ${number}`, "aria-label": said.clearFief(number) })
          : null),
      drawing);
  }

  hex(cell, at, seen, fief, onclick) {
    const index = seen.findIndex((one) => same(one, cell));
    const castle = fief.castles.includes(index) && index >= 0;
    const [x, y] = center(at);
    const size = WIDTH * 0.6;
    const { theme, icons } = this.store.look;
    return makeSvg("g", { onclick, class: "cell", "data-at": cell.join() },
      makeSvg("polygon", {
        points: points(corners(at)),
        class: index < 0 ? "off" : "hex",
        fill: index < 0 ? "transparent" : theme.fief,
      }),
      castle && makeSvg("image", {
        href: imageOf(icons.castle), x: x - size / 2, y: y - size / 2, width: size, height: size,
      }));
  }

  press(event, number, index, cursor, [top, bottom, left, right]) {
    const next = moved(cursor, event.key);
    if (next) {
      const [row, col] = next;
      const inside = row >= top && row <= bottom && col >= left && col <= right;
      if (inside) this.cursors.set(number, next);
      this.store.changed();
    } else if (event.key === " " || event.key === "Enter") {
      this.toggle(number, index, cursor);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Makes an empty hex a cell, a cell a castle, and a castle an empty hex. */
  toggle(number, index, offset) {
    this.cursors.set(number, offset);
    const shift = this.origins.get(number) ?? [0, 0];
    const [q, r] = toAxial(offset);
    const cell = [q - shift[0], r - shift[1]];
    this.store.edit((model) => {
      if (index < 0) model.fief.push({ number, cells: [], castles: [] });
      const fief = model.fief.find((f, i) => (index < 0 ? f.number === number : i === index));
      const found = fief.cells.findIndex((one) => same(one, cell));
      if (found < 0) fief.cells.push(cell);
      else if (!fief.castles.includes(found)) {
        fief.castles = [...fief.castles, found].sort((a, b) => a - b);
      } else removeCell(fief, found);
      this.settle(fief, shift);
      if (!fief.cells.length) model.fief.splice(model.fief.indexOf(fief), 1);
      model.fief.sort((a, b) => a.number - b.number);
    });
  }

  /** Moves the first cell to (0, 0), as in the shipped files, while the tile's view stays. */
  settle(fief, shift) {
    const [q, r] = fief.cells[0] ?? [0, 0];
    fief.cells = fief.cells.map(([a, b]) => [a - q, b - r]);
    this.origins.set(fief.number, fief.cells.length ? [shift[0] + q, shift[1] + r] : [0, 0]);
  }
}

function removeCell(fief, found) {
  fief.cells.splice(found, 1);
  fief.castles = fief.castles.filter((i) => i !== found).map((i) => (i > found ? i - 1 : i));
}

function frame(cells) {
  const rows = cells.map(([row]) => row), cols = cells.map(([, col]) => col);
  return [
    Math.min(FRAME[0], ...rows), Math.max(FRAME[1], ...rows),
    Math.min(FRAME[2], ...cols), Math.max(FRAME[3], ...cols),
  ];
}
