// Who sits on each seat: you, someone else, or an agent.

import { make } from "../common/dom.js";

const USUAL = "planner";

/** The seats of a new game, in a fieldset. */
export class Seats {
  constructor(container, agents) {
    this.container = container;
    this.agents = agents;
    this.usual = agents.includes(USUAL) ? USUAL : agents[0];
    this.selects = [0, 1, 2, 3].map((seat) => this.seat(seat));
  }

  seat(seat) {
    const people = [
      ["you", "you"],
      ["else", "someone else (by a link)"],
    ];
    const agents = this.agents.map((name) => [name, name]);
    const chosen = seat === 0 ? "you" : this.usual;
    const options = (pairs) =>
      pairs.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
    const select = make(
      "select",
      { onchange: () => this.onlyOne(seat) },
      make("optgroup", { label: "people" }, ...options(people)),
      make("optgroup", { label: "agents" }, ...options(agents)),
    );
    select.label = make("label", { class: `seat seat-${seat}` }, `Player ${seat + 1} `, select);
    return select;
  }

  show(numPlayers) {
    const legend = this.container.querySelector("legend");
    const labels = this.selects.slice(0, numPlayers).map((select) => select.label);
    this.container.replaceChildren(legend, ...labels);
    this.numPlayers = numPlayers;
  }

  /** One person plays one seat in one tab. */
  onlyOne(seat) {
    if (this.selects[seat].value !== "you") return;
    this.selects.forEach((select, other) => {
      if (other !== seat && select.value === "you") select.value = this.usual;
    });
  }

  /** Returns what the server wants, this browser's seat (or null), and those of others. */
  choice() {
    const chosen = this.selects.slice(0, this.numPlayers).map((select) => select.value);
    const mine = chosen.indexOf("you");
    return {
      kinds: chosen.map((value) => (value === "you" || value === "else" ? "human" : value)),
      mine: mine < 0 ? null : mine,
      invited: chosen.flatMap((value, seat) => (value === "else" ? [seat] : [])),
    };
  }
}
