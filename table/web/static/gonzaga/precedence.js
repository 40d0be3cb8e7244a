// Why a seat is first in a round (R3.5), in words, where its place is shown.

import { fill, words } from "../words/index.js";
import { make } from "../common/dom.js";
import { PLACES, planWords, playerName } from "../common/words.js";

const { precedence } = words.events;

/** Returns the turn order of a round: who, with which plan, and what puts it before the next. */
export function orderWords({ order, players, precedence: by }) {
  return order.map((seat, place) => {
    const [player, next] = [players[seat], players[order[place + 1]]];
    const who = fill(words.events.placed, PLACES[place], playerName(player), planWords(player.plan));
    if (!next) return who;
    const compare = {
      privilege: () => fill(precedence.before.privilege, playerName(next)),
      action: () => fill(precedence.before.action, playerName(next), player.plan.action, next.plan.action),
      card: () => fill(precedence.before.card, playerName(next), player.card, next.card),
    };
    return `${who}, ${compare[by[place]]()}`;
  });
}

/** Makes the places in a strip of players say why the order is so, when they are pressed. */
export function explainOrder(strip, view) {
  if (!view.precedence?.length) return;
  const lines = orderWords(view);
  const title = words.events.orderTitle;
  const box = make(
    "div",
    { class: "order-box", popover: "auto", id: "order-box" },
    make("h2", {}, title),
    make("ol", {}, ...lines.map((line) => make("li", {}, line))),
    make("p", { class: "quiet" }, words.events.orderRule),
  );
  for (const state of strip.querySelectorAll("[data-seat] .state")) {
    const { seat } = state.closest("[data-seat]").dataset;
    const line = lines[view.order.indexOf(Number(seat))];
    const label = `${state.textContent}. ${title}`;
    const attributes = { type: "button", class: "state", popovertarget: box.id, title: line };
    state.replaceWith(make("button", { ...attributes, "aria-label": label }, ...state.childNodes));
  }
  document.getElementById(box.id)?.remove();
  document.body.append(box);
}
