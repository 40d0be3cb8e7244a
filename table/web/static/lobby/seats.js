// Who sits on each seat: you, someone else, or an agent.

import { make } from "../common/dom.js";
import { agentWords } from "../common/levels.js";
import { fill, words } from "../words/index.js";

const USUAL = ["linear", "planner"]; // who is there where nobody is chosen, the first that is offered

/** The seats of a new game, in a fieldset. */
export class Seats {
  constructor(container, game) {
    this.container = container;
    this.game = game;
    this.usual = USUAL.find((name) => game.agents.includes(name)) ?? game.agents[0];
    this.chosen = ["you"];
  }

  /** Shows the seats of a number of players; what was chosen before stays. */
  show(numPlayers) {
    this.chosen = Array.from({ length: numPlayers }, (_, seat) => this.allowed(this.chosen[seat]));
    const legend = this.container.querySelector("legend");
    this.container.replaceChildren(legend, ...this.chosen.map((kind, seat) => this.seat(kind, seat)));
  }

  /** Returns a choice if it is on offer, else the usual one. */
  allowed(kind) {
    if (kind === "you" || kind === "else") return kind;
    return this.game.agents.includes(kind) ? kind : this.usual;
  }

  seat(kind, seat) {
    const { you, someone, people, agents } = words.lobby;
    const persons = [["you", you], ["else", someone]];
    const option = ([value, text]) => make("option", { value, selected: value === kind }, text);
    const found = this.game.agents.map((name) => [name, agentWords(name, this.game.levels[name])]);
    const select = make(
      "select",
      { onchange: () => this.choose(seat, select.value) },
      make("optgroup", { label: people }, ...persons.map(option)),
      make("optgroup", { label: agents }, ...found.map(option)),
    );
    return make("label", { class: `seat seat-${seat}` }, `${fill(words.lobby.player, seat + 1)} `, select);
  }

  /** One person plays one seat in one tab. */
  choose(seat, kind) {
    this.chosen = this.chosen.map((one) => (kind === "you" && one === "you" ? this.usual : one));
    this.chosen[seat] = kind;
    this.show(this.chosen.length);
    this.container.querySelector(`.seat-${seat} select`).focus();
  }

  /** Returns what the server wants, this browser's seat (or null), and those of others. */
  choice() {
    const mine = this.chosen.indexOf("you");
    return {
      kinds: this.chosen.map((value) => (value === "you" || value === "else" ? "human" : value)),
      mine: mine < 0 ? null : mine,
      invited: this.chosen.flatMap((value, seat) => (value === "else" ? [seat] : [])),
    };
  }
}
