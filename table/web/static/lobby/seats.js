// Who sits on each seat: you, someone else, or an agent.

import { make } from "../common/dom.js";
import { agentWords } from "../common/levels.js";
import { words } from "../words/index.js";

const USUAL = ["greedy", "planner"]; // who is there where nobody is chosen, the first that is offered

/** The seats of a new game, in a fieldset. */
export class Seats {
  constructor(container, game) {
    this.container = container;
    this.game = game;
    this.usual = USUAL.find((name) => game.agents.includes(name)) ?? game.agents[0];
    this.chosen = ["you"];
    this.rated = false;
  }

  /** Shows the seats of a number of players; what was chosen before stays. */
  show(numPlayers, rated = this.rated) {
    this.rated = rated;
    this.ladder = this.game.ladder[numPlayers];
    this.chosen = Array.from({ length: numPlayers }, (_, seat) => this.allowed(this.chosen[seat]));
    if (rated && !this.chosen.includes("you")) this.chosen[0] = "you";
    const legend = this.container.querySelector("legend");
    this.container.replaceChildren(legend, ...this.chosen.map((kind, seat) => this.seat(kind, seat)));
  }

  /** Returns a choice if it is on offer, else the usual one. */
  allowed(kind) {
    if (kind === "you" || kind === "else") return kind;
    const known = this.agents().some(({ agent }) => agent === kind);
    return known ? kind : this.usual;
  }

  /** Returns the agents on offer, the weakest first. */
  agents() {
    const rated = this.ladder.filter(({ rating }) => rating !== null).reverse();
    return this.rated ? rated : [...rated, ...this.ladder.filter(({ rating }) => rating === null)];
  }

  seat(kind, seat) {
    const { you, someone, people, agents } = words.lobby;
    const persons = [["you", you], ["else", someone]];
    const option = ([value, text]) => make("option", { value, selected: value === kind }, text);
    const found = this.agents().map((one) => [one.agent, agentWords(one)]);
    const select = make(
      "select",
      { onchange: () => this.choose(seat, select.value) },
      make("optgroup", { label: people }, ...persons.map(option)),
      make("optgroup", { label: agents }, ...found.map(option)),
    );
    return make("label", { class: `seat seat-${seat}` }, `${words.lobby.player(seat + 1)} `, select);
  }

  /** One person plays one seat in one tab. */
  choose(seat, kind) {
    const before = this.chosen[seat];
    this.chosen = this.chosen.map((one) => (kind === "you" && one === "you" ? this.usual : one));
    this.chosen[seat] = kind;
    // A rated game without its person: the one who sat here changes places.
    if (this.rated && before === "you" && kind !== "you") {
      this.chosen[(seat + 1) % this.chosen.length] = "you";
    }
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
