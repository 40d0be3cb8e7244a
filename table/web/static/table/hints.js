// Hints: what an agent would choose, as a list and on the board.

import { button, make } from "../common/dom.js";
import { keepSetting, setting } from "../common/storage.js";
import { choiceWords } from "../common/events.js";

/** The hints of a turn, in a panel of their own; `mark(turn, choices)` shows them on the board. */
export class Hints {
  constructor({ container, agents, ask, mark, choose }) {
    this.container = container;
    this.ask = ask;
    this.mark = mark;
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
    this.mark(null, []);
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

  /** Returns a choice as what to do. */
  words({ action, words }) {
    const placement = this.turn.placements?.find((one) => one.action === action);
    return placement ? choiceWords(placement, this.turn.fief.number) : words;
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
        ` ${this.words(choice)}${share}`,
      );
    });
    this.mark(this.turn, choices);
  }
}
