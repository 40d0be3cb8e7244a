// Hints on the map: the placements that an agent considers, numbered.

import { makeSvg } from "../common/dom.js";
import { middle } from "../common/geometry.js";
import { badge } from "./pieces.js";

const ON_MAP = 5; // choices that are drawn on the map

/** Draws hints on a board. */
export class HintMarks {
  constructor(board) {
    this.board = board;
    // The numbers lie above the names of sites, and stay while choices are tried.
    this.numbers = makeSvg("g");
    board.layers.labels.after(this.numbers);
  }

  /** Shows the choices of a turn that have a place on the map. */
  show(turn, choices) {
    const [tints, numbers, used] = [[], [], []];
    const placements = turn?.stage === "placing" ? turn.placements : [];
    choices.forEach((choice, i) => {
      const placement = placements.find((one) => one.action === choice.action);
      if (!placement?.cells.length || used.length === ON_MAP) return;
      const opacity = 0.75 - 0.13 * used.length;
      for (const cell of placement.cells) {
        tints.unshift(this.board.polygon(cell, { class: "hinted", "fill-opacity": opacity }));
      }
      const at = this.free(placement.cells, used);
      used.push(at);
      numbers.push(badge(at, String(i + 1), 19, "hint-badge"));
    });
    this.board.show("hints", ...tints);
    this.numbers.replaceChildren(...numbers);
  }

  /** Returns the hex of a choice that is farthest from the numbers drawn so far. */
  free(cells, used) {
    const points = cells.map((cell) => this.board.pointOf(cell));
    if (!used.length) return middle(points);
    const room = ([x, y]) => Math.min(...used.map(([x2, y2]) => Math.hypot(x - x2, y - y2)));
    return points.reduce((best, at) => (room(at) > room(best) ? at : best));
  }
}
