// The coach: says at each stage of a first game what to do and why, and points at it.

import { byId } from "../common/dom.js";
import { CoachBox } from "../table/coach.js";
import { words } from "../words/index.js";

const { learn } = words;

/** Returns which advice to give now, of `words.learn.coach`; null for none. */
export function advice({ view, turn, seat, sealed, wedding, rings = false }) {
  if (view.decision === "over") return "over";
  if (seat === null) return "watching";
  if (!turn) return view.round === 1 && sealed && view.decision === "plan" ? "waiting" : null;
  if (view.last_round && turn.stage === "planning") return "last";
  if (turn.stage === "planning") {
    const { locked } = view.players[seat];
    if (view.round === 1) return "plan";
    if (view.round === 2 && locked) return "locked";
    return view.round < 5 ? "planAgain" : "endNear";
  }
  if (!turn.placements.some((placement) => placement.kind === "fief")) {
    return wedding ? "rings" : "blocked";
  }
  if (rings) return "wedding";
  if (view.round === 1) return "place";
  if (view.round > 5) return null;
  return wedding ? "wedding" : "placeAgain";
}

/** The part of the page that each advice is about. */
const AT = {
  plan: ".board",
  planAgain: ".objective-held",
  locked: ".card.locked",
  endNear: "#open-sites",
  place: ".board",
  placeAgain: "#hint",
  wedding: "#wedding",
  blocked: "#donate",
  rings: "#wedding",
  last: ".banner",
  waiting: "#strip",
  watching: ".board",
  over: ".final",
};

/** The coach of Gonzaga. */
export class Coach extends CoachBox {
  /** Says what to do now and marks the part of the page that it is about. */
  say(position) {
    for (const marked of document.querySelectorAll(".coached")) marked.classList.remove("coached");
    const key = this.on ? advice(position) : null;
    this.show(key && learn.coach[key]);
    if (!key) return;
    this.container.dataset.key = key;
    (document.querySelector(AT[key]) ?? byId("turn")).classList.add("coached");
  }
}
