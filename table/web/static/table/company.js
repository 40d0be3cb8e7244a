// What people agree on beside their moves: names, taking back, and agents that fail.

import { announce, button, byId, make } from "../common/dom.js";
import { keepSetting, setting } from "../common/storage.js";
import { playerName } from "../common/words.js";
import { playAgain } from "./record.js";
import { fill, listed, words } from "../words/index.js";

const MAX_NAME = 40;

/** A box above the turn for what is asked, and a button beside the log that gives a name. */
export class Company {
  constructor(page) {
    this.page = page;
    this.box = make("section", { id: "company", class: "company", "aria-label": words.table.company });
    this.tools = make("p", { class: "buttons company-tools" });
    byId("turn").before(this.box);
    document.querySelector(".rest").append(this.tools);
    this.naming = false;
  }

  /** Shows what the server's answer asks of this person; nothing is drawn anew that stays. */
  show(answer) {
    this.answer = answer;
    const { seat, seats, failed, problem, undo, over, next } = answer;
    const own = seat !== null && !over && button(words.table.rename, () => this.rename(true), { id: "rename", class: "small" });
    this.tools.replaceChildren(...[own, this.giveUp()].filter(Boolean));
    const key = JSON.stringify([seats, failed, problem, undo, over, next, this.naming]);
    if (key === this.key) return;
    this.key = key;
    const parts = [this.rematch(), this.problem(), this.request(), this.naming && this.nameForm()];
    this.box.replaceChildren(...parts.filter(Boolean));
    this.box.hidden = !this.box.childElementCount;
  }

  /** Returns the button that resigns, for somebody who plays against agents alone. */
  giveUp() {
    const { seat, seats, over } = this.answer;
    const people = seats.filter(({ kind }) => kind === "human");
    if (seat === null || over || people.length > 1 || this.page.resigned) return null;
    const ask = ({ target }) => {
      if (target.textContent === words.table.resignSure) this.page.resign();
      else target.textContent = words.table.resignSure;
    };
    return button(words.table.resign, ask, { id: "resign", class: "small" });
  }

  /** Returns what takes the last own decisions back; null if there are none, or they stay. */
  get undo() {
    const { over, undo, sealed, seat } = this.answer;
    const { moves } = this.page.log;
    const decided = [...moves.values()].some((lines) => lines.some((line) => line.seat === seat));
    if (seat === null || over || undo || !(decided || sealed.includes(seat))) return null;
    return () => {
      this.undone = true;
      return this.send("undo", { move: this.page.moves, act: "ask" });
    };
  }

  /** Returns the button that takes the last own decision back, if there may be one. */
  takeBack() {
    const isSealed = this.answer.sealed.includes(this.answer.seat);
    const label = isSealed ? words.table.takePlanBack : words.table.takeBack;
    return this.undo && button(label, this.undo, { class: "take-back" });
  }

  name(seat) {
    return playerName(this.answer.seats[seat]);
  }

  /** Sends something; what the server refuses is told. */
  async send(what, body) {
    this.box.inert = true;
    try {
      this.page.notice("");
      this.page.receive(await this.page.table.change(what, body));
      return true;
    } catch (error) {
      if (error.code === "revealed") this.confirm();
      else this.page.notice(error.message);
      return false;
    } finally {
      this.box.inert = false;
    }
  }

  /** Says which agent fails, and offers people what to do about it. */
  problem() {
    const { failed, problem, seat, seats } = this.answer;
    if (!failed.length) return null;
    const told = make("p", { role: "alert", title: problem }, fill(words.table.fails, this.name(failed[0])));
    if (seat === null) return told;
    const own = seats[failed[0]].agent;
    const others = this.page.game.agents.filter((name) => name !== own);
    const select = make("select", { "aria-label": words.table.anotherAgent }, ...others.map((name) => make("option", {}, name)));
    select.value = others.includes("greedy") ? "greedy" : others[0];
    const replace = (agent) => this.send("agent", { seat: failed[0], agent });
    return make(
      "div",
      { class: "request" },
      told,
      make(
        "p",
        { class: "buttons" },
        button(words.common.tryAgain, () => replace(own), { id: "retry-agent", class: "small" }),
        button(words.table.playsOn, () => replace(select.value), { id: "replace-agent", class: "small" }),
        select,
      ),
    );
  }

  /** Shows who asks to take something back. */
  request() {
    const { undo, seat } = this.answer;
    if (!undo) return null;
    const answer = (act) => () => this.send("undo", { move: this.page.moves, act });
    const buttons = [];
    if (undo.asked.includes(seat)) {
      buttons.push(
        button(words.table.agree, answer("agree"), { class: "primary small", id: "agree" }),
        button(words.table.refuse, answer("refuse"), { id: "refuse", class: "small" }),
      );
    } else if (undo.seat === seat) {
      buttons.push(button(words.table.withdraw, answer("refuse"), { id: "withdraw", class: "small" }));
    }
    const asked = listed(undo.asked.map((other) => this.name(other)));
    const text = undo.seat === seat ? fill(words.table.youAsk, asked) : fill(words.table.asks, this.name(undo.seat));
    const said = undo.reveals ? `${text} ${words.table.revealed}` : text;
    if (undo.asked.includes(seat)) announce(said);
    return make("div", { class: "request" }, make("p", {}, said), make("p", { class: "buttons" }, ...buttons));
  }

  /** Leads to the rematch that somebody has opened. */
  rematch() {
    const { next, over } = this.answer;
    if (!next || !over) return null;
    announce(words.table.rematchIsOpen);
    const go = button(words.table.toRematch, () => playAgain(this.page), { class: "primary small", id: "to-rematch" });
    return make("div", { class: "request" }, make("p", {}, words.table.rematchIsOpen), make("p", { class: "buttons" }, go));
  }

  /** Asks somebody who is alone whether to take back what has shown hidden things. */
  confirm() {
    const again = () => this.send("undo", { move: this.page.moves, act: "ask", knowing: true });
    this.key = null;
    this.box.hidden = false;
    this.box.replaceChildren(
      make(
        "div",
        { class: "request" },
        make("p", { role: "alert" }, `${words.table.revealed} ${words.table.takeBackAnyway}`),
        make(
          "p",
          { class: "buttons" },
          button(words.table.takeBack, again, { id: "take-back-anyway", class: "small" }),
          button(words.table.leaveIt, () => this.show(this.answer), { class: "small" }),
        ),
      ),
    );
    byId("take-back-anyway").focus();
  }

  rename(naming) {
    this.naming = naming;
    this.show(this.answer);
    if (naming) byId("new-name").select();
  }

  nameForm() {
    const { seat, seats } = this.answer;
    const given = setting("name", "");
    const input = make("input", {
      id: "new-name",
      value: isDefault(seats[seat].name, seat) ? given : seats[seat].name,
      maxlength: MAX_NAME,
      "aria-label": words.table.yourName,
      autocomplete: "nickname",
    });
    const submit = async (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (!(await this.send("name", { name }))) return;
      keepSetting("name", name);
      this.rename(false);
    };
    return make(
      "form",
      { class: "naming buttons", onsubmit: submit },
      make("label", {}, `${words.table.yourName} `, input),
      make("button", { class: "primary small" }, words.table.takeName),
      button("×", () => this.rename(false), { class: "small", "aria-label": words.table.leaveIt }),
    );
  }

  /** Asks a guest, who has no name yet, for one. */
  greet(answer) {
    this.naming = answer.seat !== null && !answer.over && isDefault(answer.seats[answer.seat].name, answer.seat);
  }
}

/** Whether nobody has given a seat another name yet. */
const isDefault = (name, seat) =>
  ["", `Player ${seat + 1}`, fill(words.common.player, seat + 1)].includes(name);
