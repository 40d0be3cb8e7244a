// A puzzle: the page of its game, where a choice is judged in place of being played.

import * as api from "../common/api.js";
import { announce, button, byId, make } from "../common/dom.js";
import { goToTable, keepTable, setting } from "../common/storage.js";
import { playerName } from "../common/words.js";
import { fill, number, words } from "../words/index.js";
import { choiceName, reasonWords } from "./reasons.js";
import { keepSolved, solved } from "./solved.js";

const { learn } = words;

/**
 * Returns a game's page with a question above the turn, and a verdict after it.
 *
 * @type {(Page: any) => any}
 */
export const asPuzzle = (Page) =>
  class extends Page {
    async start(answer) {
      this.puzzle = answer.puzzle;
      this.all = (await api.puzzles()).filter(({ game }) => game === answer.puzzle.game);
      document.body.classList.add("puzzle");
      byId("coach").setAttribute("aria-label", learn.puzzle);
      await super.start({ ...answer, over: true });
    }

    /** A choice is the answer. */
    get quick() {
      return false;
    }

    /** A puzzle is no table of this browser. */
    remember() {}

    /** Nobody is there or away. */
    seats() {
      return { ...super.seats(), people: [] };
    }

    /** Takes the position; nobody moves, so there is nothing to follow. */
    receive(answer) {
      for (const { view } of answer.frames) view.players[answer.seat].name = words.lobby.guest;
      super.receive({ ...answer, over: true });
    }

    show(frame) {
      super.show({ ...frame, lines: [] });
      document.title = `${this.title()} · ${learn.kinds[this.puzzle.question]}`;
    }

    open() {
      super.open();
      this.hints.clear(); // it would be the answer
    }

    guide() {
      if (this.view && byId("coach").dataset.puzzle !== this.id) this.ask();
    }

    title() {
      const place = this.all.findIndex(({ id }) => id === this.id);
      return fill(learn.puzzleNumber, place + 1);
    }

    /** Puts the question. */
    ask() {
      const { question, level, num_choices: choices } = this.puzzle;
      const rival = this.view.order?.length ? this.view.players[this.view.order.at(-1)] : null;
      byId("coach").dataset.puzzle = this.id;
      byId("coach").replaceChildren(
        make("h2", {}, `${this.title()} · ${learn.levels[level]}`),
        make("p", { class: "question" }, fill(learn.questions[question], rival && playerName(rival), choices)),
      );
      byId("coach").hidden = false;
    }

    /** Asks the server what the choice is worth. */
    async play(action, reveal = false) {
      if (this.sending) return;
      this.sending = true;
      try {
        this.judged(await this.table.answer(action, reveal));
      } catch (error) {
        byId("choice").textContent = error.message;
        announce(error.message);
      } finally {
        this.sending = false;
      }
    }

    judged(told) {
      const { right, chosen, best } = told;
      if (right) keepSolved(this.id);
      this.chosen = chosen.action;
      const rows = best && !right ? [[learn.yours, chosen], [learn.best, best]] : [["", chosen]];
      const said = right ? `✓ ${learn.right}` : learn.wrong;
      const verdict = make("div", { class: "verdict" },
        make("p", { class: right ? "right" : "wrong" }, make("b", {}, said)),
        make("dl", {}, ...rows.flatMap(([title, one]) => this.row(title, one))),
        this.evidence(told),
        make("div", { class: "buttons" }, ...this.ways(right, best)),
      );
      byId("turn").querySelector(".verdict")?.remove();
      byId("turn").prepend(verdict);
      byId("turn").scrollTop = 0;
      byId("turn").classList.toggle("answered", Boolean(best));
      if (best && !right) this.choice.chooseAction(best.action);
      announce(`${said} ${verdict.querySelector("dl").textContent}`);
    }

    /** Returns what one choice is worth, with its title if there are two. */
    row(title, told) {
      const reason = reasonWords(this.puzzle.question, told, this.view, this.look);
      const name = choiceName(this.turn, told.action);
      return [title && make("dt", {}, title), make("dd", {}, `${name}: `, make("b", {}, reason))];
    }

    evidence({ evidence }) {
      if (!evidence?.playouts) return null;
      return make("p", { class: "quiet" }, fill(learn.evidence, number(evidence.playouts)));
    }

    /** Returns what can be done after an answer. */
    ways(right, best) {
      const next = this.following();
      const again = button(learn.again, () => this.again());
      const show = button(learn.showBest, () => this.play(this.chosen, true), { id: "show-best" });
      const more = next && make("a", { class: "button primary", href: `/puzzle/${next.id}`, id: "next" }, learn.next);
      const on = button(learn.playOn, () => this.playOn(), { id: "play-on" });
      const all = make("a", { href: `/learn#${this.puzzle.game}` }, learn.all);
      if (!best) return [show, all];
      return [more, right ? null : again, on, all];
    }

    /** Returns the next puzzle that is not solved, or just the next one. */
    following() {
      const done = solved();
      const place = this.all.findIndex(({ id }) => id === this.id);
      const later = [...this.all.slice(place + 1), ...this.all.slice(0, place)];
      return later.find(({ id }) => !done.has(id)) ?? later[0];
    }

    again() {
      byId("turn").classList.remove("answered");
      this.close();
      this.act();
    }

    /** Opens a table that goes on from here, against agents. */
    async playOn() {
      try {
        const name = setting("name", "") || words.lobby.guest;
        const made = await api.newTable({ puzzle: this.id, name });
        const tokens = Object.fromEntries(made.seats.map(({ seat, token }) => [seat, token]));
        const title = `${this.title()}, ${this.game.title}`;
        keepTable(made.table, { title, tokens, mine: this.seat, invited: [], over: false });
        goToTable(made.table);
      } catch (error) {
        this.notice(error.message);
      }
    }
  };
