// The choice of one ring or two for a wedding, hex by hex.

import { key } from "../common/geometry.js";

/** The legal weddings, and the hexes chosen so far. */
export class Wedding {
  constructor(placements) {
    this.placements = placements.filter((placement) => placement.kind === "wedding");
    this.cells = [];
  }

  get possible() {
    return this.placements.length > 0;
  }

  /** Returns the legal wedding on exactly these cells, if any. */
  on(cells) {
    const wanted = new Set(cells.map(key));
    return this.placements.find(
      (one) => one.cells.length === wanted.size && one.cells.every((cell) => wanted.has(key(cell))),
    );
  }

  /** Returns the hexes that can be chosen next: those of weddings with what is chosen. */
  open() {
    const chosen = this.cells.map(key);
    const cells = this.placements
      .filter((one) => chosen.every((name) => one.cells.some((cell) => key(cell) === name)))
      .flatMap((one) => one.cells)
      .filter((cell) => !chosen.includes(key(cell)));
    return [...new Map(cells.map((cell) => [key(cell), cell])).values()];
  }

  /** Chooses a hex, or takes it back; returns whether that was possible. */
  toggle(cell) {
    const chosen = this.cells.map(key);
    if (chosen.includes(key(cell))) {
      this.cells = this.cells.filter((one) => key(one) !== key(cell));
      return true;
    }
    if (!this.open().some((one) => key(one) === key(cell))) {
      this.cells = [];
      if (!this.open().some((one) => key(one) === key(cell))) return false;
    }
    this.cells = [...this.cells, cell];
    return true;
  }
}
