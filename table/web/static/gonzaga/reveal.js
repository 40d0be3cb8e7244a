// The reveal: everybody's cards turn over, in the order of play.

import { make } from "../common/dom.js";
import { boxPicture } from "../common/shapes.js";
import { playerName } from "../common/words.js";
import { words } from "../words/index.js";
import { planFaces } from "./cards.js";

/**
 * Returns the open plans of a round, each turning over after the one before it.
 *
 * @param {any} view
 * @param {any} look
 * @param {boolean} still whether they lie open already
 */
export function revealed(view, look, still = false) {
  const plans = view.order.map((seat, place) => {
    const player = view.players[seat];
    const color = look.colors.players[seat];
    return make(
      "li",
      { style: `--place: ${place}; --player: ${color}` },
      make("span", { class: "who" }, boxPicture(look.crests[seat], 18), playerName(player)),
      make(
        "span",
        { class: "flip" },
        make("span", { class: "back", "aria-hidden": "true" }, boxPicture(look.crests[seat], 24)),
        planFaces(player.plan, look, view, color),
      ),
    );
  });
  return make("ol", { class: `reveal${still ? " still" : ""}`, "aria-label": words.gonzaga.reveal }, ...plans);
}
