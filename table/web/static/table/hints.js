// Hints: what an agent would choose and why, as a list and on the board.

import { announce, button, make } from "../common/dom.js";
import { choiceWords } from "../common/events.js";
import { keepSetting, setting } from "../common/storage.js";
import { planWords } from "../common/words.js";
import { fill, number, plural, words } from "../words/index.js";
import { reasonWords, valueWords } from "./reasons.js";

const { hints } = words;
const LISTED = 5; // choices seen at once

/**
 * The hints of a turn, in a panel of their own. `mark(turn, choices)` shows them on the board,
 * `picture(turn, action)` draws a choice, `view()` is the position.
 */
export class Hints {
  constructor({ container, agents, ask, mark, choose, picture, view }) {
    this.container = container;
    this.ask = ask;
    this.mark = mark;
    this.choose = choose;
    this.picture = picture;
    this.view = view;
    const wanted = setting("hint", "linear");
    const kept = agents.includes(wanted) ? wanted : agents.at(-1);
    this.select = make(
      "select",
      { "aria-label": hints.agent, onchange: () => keepSetting("hint", this.select.value) },
      ...agents.map((name) => make("option", { selected: name === kept }, name)),
    );
    this.list = make("ol", { class: "choices" });
    this.note = make("p", { class: "quiet" });
    container.replaceChildren(
      make(
        "div",
        { class: "buttons" },
        button(hints.hint, () => this.show(), { id: "hint", title: hints.title }),
        make("label", {}, `${hints.from} `, this.select),
      ),
      this.note,
      this.list,
    );
    this.clear();
  }

  clear() {
    this.turn = null;
    this.asked = null;
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

  /** Removes why a hint failed: the position is another one. */
  moved() {
    if (!this.asked && !this.list.children.length) this.note.textContent = "";
  }

  async show() {
    const { turn } = this;
    if (!turn || this.asked === turn) return;
    this.asked = turn;
    this.note.textContent = fill(hints.thinks, this.select.value);
    try {
      const found = await this.ask(this.select.value);
      if (turn === this.turn) this.draw(found);
    } catch (error) {
      if (turn !== this.turn) return;
      this.note.textContent = error.message;
      announce(error.message);
    } finally {
      if (this.asked === turn) this.asked = null;
    }
  }

  draw({ agent, measure, choices }) {
    this.note.textContent = `${fill(hints.measures[measure], agent)} ${hints.tryOne}`;
    this.list.replaceChildren(...choices.map((choice) => make("li", {}, this.row(choice, measure))));
    this.foldRest();
    this.mark(this.turn, choices);
    const [best] = choices;
    const why = reasonWords(best.reasons, this.view());
    announce(`${this.note.textContent} ${fill(hints.best, this.words(best))}. ${why}`);
  }

  /** Folds the choices after the first few, which are those numbered on the map. */
  foldRest() {
    const rest = [...this.list.children].slice(LISTED);
    for (const item of rest) item.hidden = true;
    if (!rest.length) return;
    const more = button(plural(rest.length, hints.more), () => {
      for (const item of rest) item.hidden = false;
      more.parentNode.remove();
      rest[0].firstChild.focus();
    });
    this.list.append(make("li", { class: "more" }, more));
  }

  row(choice, measure) {
    const why = reasonWords(choice.reasons, this.view());
    const title =
      choice.share === null ? null : fill(hints.share, number(choice.share, { style: "percent" }));
    return make(
      "button",
      { type: "button", class: "hint-choice", onclick: () => this.choose(choice.action) },
      make("b", { title }, valueWords(choice.value, measure)),
      make("span", { class: "hint-words" }, this.words(choice), why ? make("small", {}, why) : null),
      this.picture(this.turn, choice.action),
    );
  }

  /** Returns a choice as what to do. */
  words({ action, words: told }) {
    const { fief, placements = [], plans = [] } = this.turn;
    const placement = placements.find((one) => one.action === action);
    if (placement) return choiceWords(placement, fief.number);
    const plan = plans.find((one) => one.action === action);
    return plan ? planWords({ ...plan, action: plan.card }) : told;
  }
}
