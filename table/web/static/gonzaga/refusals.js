// Why something is refused: the server judges, this asks it and says it in words.

import { key } from "../common/geometry.js";
import { playerName } from "../common/words.js";
import { fill, listed, words } from "../words/index.js";

const PAUSE = 70; // ms that a pointer rests before the server is asked

const { refusals } = words.gonzaga;

/** How sites against each action card are said. */
const SITES = {
  A: (cities) => (cities.length ? fill(refusals.noCity, listed(cities)) : refusals.needsHarbor),
  B: (cities, harbors) => fill(refusals.noHarbor, listed(harbors)),
  C: (cities, harbors) =>
    cities.length ? refusals.harborToo : harbors.length ? refusals.cityToo : refusals.needsBoth,
};

/** How each kind is said; one that is not here is said in the server's words. */
const SAY = {
  off_map: () => refusals.offMap,
  castle: ({ sea }) => fill(refusals.castle, sea),
  barrier: ({ barrier }) => fill(refusals.barrier, barrier),
  taken: ({ seat }, view, own) =>
    seat === own ? refusals.ownFief : fill(refusals.taken, playerName(view.players[seat])),
  own_ring: () => refusals.ownRing,
  sites: ({ card, cities, harbors }) => SITES[card](cities, harbors),
  region: ({ region, regions }) =>
    region === "inactive" ? fill(refusals.inactive, listed(regions)) : fill(refusals.region, region),
  no_alliance: ({ card }) => fill(refusals.noAlliance, card),
  few_rings: ({ needed, left }) => fill(refusals.fewRings, needed, left),
  apart: () => refusals.apart,
  own_fief: () => refusals.ringOnOwnFief,
  ringed: ({ seat }, view, own) =>
    seat === own ? refusals.ringOnOwnRing : fill(refusals.ringed, playerName(view.players[seat])),
  played: () => refusals.played,
  no_ring: () => refusals.noRing,
};

/** Returns a refusal in words. */
export const refusalReason = (refusal, view, seat) =>
  SAY[refusal.kind]?.(refusal, view, seat) ?? refusal.text;

/** Returns a refusal in words, with the number of its rule. */
export const refusalWords = (refusal, view, seat) =>
  `${refusalReason(refusal, view, seat)} (${refusal.rule})`;

/** Asks the server why a fief or rings may not lie somewhere; `ask(query)` returns its refusal. */
export class Refusals {
  constructor(ask) {
    this.ask = ask;
    this.known = new Map();
    this.number = 0;
  }

  /** Tells what the server says of a fief, unless another question comes first. */
  ofFief({ rotation, cells }, tell) {
    this.later({ rotation, at: key(cells[0]) }, tell);
  }

  ofRings({ cells }, tell) {
    this.later({ ring: cells.map(key) }, tell);
  }

  /** Forgets the question that waits. */
  stop() {
    this.number += 1;
    clearTimeout(this.timer);
  }

  later(query, tell) {
    this.stop();
    const { number } = this;
    const known = JSON.stringify(query);
    if (this.known.has(known)) return tell(this.known.get(known));
    this.timer = setTimeout(async () => {
      const refusal = await this.ask(query).catch(() => undefined); // the next one may be answered
      if (refusal === undefined) return;
      this.known.set(known, refusal);
      if (number === this.number) tell(refusal);
    }, PAUSE);
    return undefined;
  }
}
