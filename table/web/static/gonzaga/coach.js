// The coach: says at each stage of a first game what to do and why, and points at it.

import { button, byId, make } from "../common/dom.js";
import { keepSetting, setting } from "../common/storage.js";

/** Returns `{key, text, at}`: what to say now, and the selector of the part it is about. */
export function advice({ view, turn, seat, wedding }) {
  if (view.stage === "over") return OVER;
  if (seat === null) return WATCHING;
  if (!turn) return view.round === 1 && view.stage === "planning" ? WAITING : null;
  if (view.last_round && turn.stage === "planning") return LAST;
  if (turn.stage === "planning") {
    const { locked } = view.players[seat];
    if (view.round === 1) return PLAN;
    if (view.round === 2 && locked) return LOCKED;
    return view.round < 5 ? PLAN_AGAIN : END_NEAR;
  }
  if (!turn.placements.some((placement) => placement.kind === "fief")) {
    return wedding ? RINGS : BLOCKED;
  }
  if (view.round === 1) return PLACE;
  if (view.round > 5) return null;
  return wedding ? WEDDING : PLACE_AGAIN;
}

const PLAN = {
  key: "plan",
  at: ".planning",
  text:
    "Your fief of this round is shown in your panel. Choose a region card (where it shall lie) and " +
    "an action card (what it may cover). All plans are revealed together: A acts before B, B before C.",
};
const PLAN_AGAIN = {
  key: "plan-again",
  at: ".objective-held",
  text:
    "Dashed circles on the map mark the six cities of your secret objective. Four of them are worth " +
    "15 points at the end, six 35. Three harbors of one sea are a league: 10 points.",
};
const LOCKED = {
  key: "locked",
  at: ".card.locked",
  text:
    "Cards of the last round are locked for this one, for the others too: the panels show which. " +
    "So you know a part of what they can plan.",
};
const END_NEAR = {
  key: "end-near",
  at: "#open-sites",
  text:
    "After round 6 and each later one: if 3 or fewer flourishing cities and harbors are open, the next " +
    "round is the last. Keep an eye on your objective and on your largest group.",
};
const PLACE = {
  key: "place",
  at: ".board",
  text:
    "Point at the map: the fief snaps to a legal spot nearby. R, the wheel or its pictures rotate it. " +
    "Choose a spot, then press Play. A site is worth 3 points where the region flourishes, else 1.",
};
const PLACE_AGAIN = {
  key: "place-again",
  at: "#hint",
  text:
    "Pieces that touch form a group, and the largest group is worth 15 points at the end. If you are " +
    "not sure, ask for a hint: an agent shows its best spots on the map.",
};
const WEDDING = {
  key: "wedding",
  at: "#wedding",
  text:
    "With card C you may arrange a wedding instead: one ring, or two on neighbouring hexes. A ring " +
    "counts as a small fief and may lie on another player’s fief. You have six for the whole game.",
};
const BLOCKED = {
  key: "blocked",
  at: "#donate",
  text:
    "The others took your room: this fief fits nowhere, so donate it for 3 points. King’s Privilege " +
    "lets you act before them next time; card C leaves you the choice of a wedding.",
};
const RINGS = {
  key: "rings",
  at: "#wedding",
  text:
    "This fief fits nowhere, but a wedding is possible: put one ring, or two side by side, on marked " +
    "hexes. A ring on a city or harbor scores like a fief. You may also donate the fief for 3 points.",
};
const LAST = {
  key: "last",
  at: ".banner",
  text:
    "This is the last round. Rings are worth nothing afterwards, so spend them now if you can: think " +
    "of your objective, the largest group and open leagues.",
};
const WAITING = {
  key: "waiting",
  at: "#strip",
  text: "Your plan is sealed. The others plan now; then all plans are opened.",
};
const WATCHING = {
  key: "watching",
  at: ".board",
  text: "You watch this game: you see what lies open on the table.",
};
const OVER = {
  key: "over",
  at: ".final",
  text: "The table shows where the points come from. Play again, or step through this game.",
};

/** The coach's box. It is on until it is switched off. */
export class Coach {
  constructor(container, onSwitch) {
    this.container = container;
    this.onSwitch = onSwitch;
    this.text = make("p");
    container.replaceChildren(
      button("×", () => this.set(false), {
        class: "small",
        "aria-label": "Switch the coach off",
        title: "Switch the coach off",
      }),
      make("b", {}, "Coach"),
      this.text,
    );
  }

  get on() {
    return setting("coach", true);
  }

  set(on) {
    keepSetting("coach", on);
    this.onSwitch();
  }

  /** Says what to do now and marks the part of the page that it is about. */
  say(position) {
    for (const marked of document.querySelectorAll(".coached")) marked.classList.remove("coached");
    const said = this.on ? advice(position) : null;
    this.container.hidden = !said;
    if (!said) return;
    this.container.dataset.key = said.key;
    if (this.text.textContent !== said.text) this.text.textContent = said.text;
    (document.querySelector(said.at) ?? byId("turn")).classList.add("coached");
  }
}
