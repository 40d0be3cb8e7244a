// Playing on from a position: choose a seat, agents take the others.

import { byId, make } from "../common/dom.js";
import { goToTable, keepTable } from "../common/storage.js";
import { fill, words } from "../words/index.js";

const said = words.analysis;

/** The dialog; `start({move, seat, agents, name})` opens the table. */
export class PlayOn {
  constructor({ names, agents, start }) {
    this.names = names;
    this.agents = agents;
    this.start = start;
    this.dialog = byId("play-on");
    byId("play-on-close").addEventListener("click", () => this.dialog.close());
    this.dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    byId("play-on-seats").replaceChildren(...names.map((name, seat) => this.row(name, seat)));
    byId("play-on-seats").addEventListener("change", () => this.update());
  }

  row(name, seat) {
    const options = this.agents.map((agent) => make("option", { selected: agent === "linear" }, agent));
    return make(
      "p",
      { class: "seat" },
      make("label", {}, make("input", { type: "radio", name: "seat", value: String(seat) }), ` ${name}: ${said.you}`),
      make("select", { "aria-label": fill(said.seat, name) }, ...options),
    );
  }

  /** Opens the dialog at a position, for the seat that decides there. */
  open(move, seat) {
    this.move = move;
    byId("play-on-error").hidden = true;
    this.seats()[seat].checked = true;
    this.update();
    this.dialog.showModal();
  }

  /** @returns {HTMLInputElement[]} */
  seats() {
    return [...this.dialog.querySelectorAll("input")];
  }

  /** @returns {HTMLSelectElement[]} */
  choices() {
    return [...this.dialog.querySelectorAll("select")];
  }

  update() {
    const chosen = this.seats().map((seat) => seat.checked);
    this.choices().forEach((choice, seat) => {
      choice.disabled = chosen[seat];
    });
  }

  async send() {
    const seat = this.seats().findIndex((one) => one.checked);
    const agents = this.choices().map((choice) => choice.value);
    try {
      const { table, seats } = await this.start({ move: this.move, seat, agents });
      const tokens = Object.fromEntries(seats.map((one) => [one.seat, one.token]));
      keepTable(table, { tokens, mine: seat, title: said.playOn, over: false });
      goToTable(table);
    } catch (error) {
      byId("play-on-error").hidden = false;
      byId("play-on-error").textContent = error.message;
    }
  }
}
