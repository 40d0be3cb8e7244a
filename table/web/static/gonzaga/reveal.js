// The reveal: everybody's cards turn over, in the order of play.

import { make } from "../common/dom.js";
import { boxPicture } from "../common/shapes.js";
import { planWords, playerName } from "../common/words.js";
import { words } from "../words/index.js";
import { planFaces } from "./cards.js";

/** The open plans of a round. They turn over where they are first shown. */
export class Reveal {
  constructor() {
    this.shownIn = 0; // the round
  }

  /** Returns the plans as a list with names, or as a line without them. */
  draw(view, look, line = false) {
    const still = this.shownIn === view.round;
    this.shownIn = view.round;
    const plans = view.order.map((seat, place) => played(view.players[seat], place, look, view));
    const style = `reveal${line ? " line" : ""}${still ? " still" : ""}`;
    return make("ol", { class: style, "aria-label": words.gonzaga.reveal }, ...plans);
  }
}

/** Returns the cards of a player, which turn over after those of the places before. */
function played(player, place, look, view) {
  const { seat, plan } = player;
  const color = look.colors.players[seat];
  const name = playerName(player);
  return make(
    "li",
    { style: `--place: ${place}; --player: ${color}`, title: `${name}: ${planWords(plan)}` },
    make("span", { class: "who" }, boxPicture(look.crests[seat], 18), make("span", {}, name)),
    make(
      "span",
      { class: "flip" },
      make("span", { class: "back", "aria-hidden": "true" }, boxPicture(look.crests[seat], 18)),
      planFaces(plan, look, view, color),
    ),
  );
}
