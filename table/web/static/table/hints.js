// Hints: what an agent would choose, as a list and on the map.

import { button, make, makeSvg } from "../common/dom.js";
import { middle } from "../common/geometry.js";
import { badge } from "../common/pieces.js";
import { keepSetting, setting } from "../common/storage.js";
import { lineWords } from "../common/words.js";

const ON_MAP = 5; // choices that are drawn on the map

/** The hints of a turn, in a panel of their own. */
export class Hints {
  constructor({ container, agents, board, ask, choose }) {
    this.container = container;
    this.board = board;
    this.ask = ask;
    this.choose = choose;
    const kept = setting("hint", "planner");
    this.select = make(
      "select",
      { "aria-label": "Agent that gives hints", onchange: () => this.keep() },
      ...agents.map((name) => make("option", { selected: name === kept }, name)),
    );
    this.list = make("ol", { class: "choices" });
    this.note = make("p", { class: "quiet" });
    container.replaceChildren(
      make(
        "div",
        { class: "buttons" },
        button("Hint", () => this.show(), { id: "hint", title: "What would an agent do? (h)" }),
        make("label", {}, "from ", this.select),
      ),
      this.note,
      this.list,
    );
    // The numbers lie above the names of sites, and stay while choices are tried.
    this.numbers = makeSvg("g");
    board.layers.labels.after(this.numbers);
    this.clear();
  }

  keep() {
    keepSetting("hint", this.select.value);
  }

  clear() {
    this.turn = null;
    this.list.replaceChildren();
    this.note.textContent = "";
    this.container.hidden = true;
    this.board.clear("hints");
    this.numbers.replaceChildren();
  }

  /** Offers hints for a turn. */
  offer(turn) {
    this.clear();
    this.turn = turn;
    this.container.hidden = false;
  }

  async show() {
    const { turn } = this;
    if (!turn || this.asking) return;
    this.asking = true;
    this.note.textContent = `${this.select.value} thinks …`;
    try {
      const found = await this.ask(this.select.value);
      if (turn === this.turn) this.draw(found);
    } catch (error) {
      if (turn === this.turn) this.note.textContent = error.message;
    } finally {
      this.asking = false;
    }
  }

  draw({ agent, unit, choices }) {
    this.note.textContent = `${agent}, in ${unit}. Choose one to try it.`;
    const most = Math.max(...choices.map(({ value }) => Math.abs(value)));
    const digits = most <= 1 ? 2 : 1;
    this.list.replaceChildren(
      ...choices.map((choice) =>
        make(
          "li",
          {},
          button("", () => this.choose(choice.action), { class: "hint-choice" }),
        ),
      ),
    );
    choices.forEach((choice, i) => {
      const share = choice.share === null ? "" : ` · ${Math.round(100 * choice.share)} %`;
      this.list.children[i].firstChild.append(
        make("b", {}, choice.value.toFixed(digits)),
        ` ${lineWords(choice.words)}${share}`,
      );
    });
    this.drawOnMap(choices);
  }

  drawOnMap(choices) {
    if (this.turn.stage !== "placing") return;
    const [tints, numbers, used] = [[], [], []];
    choices.forEach((choice, i) => {
      const placement = this.turn.placements.find((one) => one.action === choice.action);
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
