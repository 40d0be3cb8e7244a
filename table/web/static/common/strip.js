// All players in one line, always in sight: points, fief, rings, cards, and who plans or is away.

import { fill, words } from "../words/index.js";
import { button, make } from "./dom.js";
import { boxPicture, fiefPicture, lock, ringCount } from "./shapes.js";
import { PLACES, objectivePoints, planWords, playerName, total } from "./words.js";

/**
 * Returns the players of Gonzaga in the order in which they act.
 *
 * @param {any} view
 * @param {any} look what stays the same of the board
 * @param {Seats} [seats]
 */
export function playerStrip(view, look, seats = {}) {
  const order = view.order.length ? view.order : view.players.map((player) => player.seat);
  return order.map((seat) => {
    const player = view.players[seat];
    return chip(player, look, {
      acts: view.decision === "place" && view.to_act === seat,
      own: seats.own === seat,
      state: stateWords(player, view, seats),
      facts: [
        shapeOf(player, look),
        ringCount(player.rings, look.colors.players[seat]),
        cardOf(player, view),
        objectiveOf(player, look),
      ],
    });
  });
}

/**
 * Which seats are this page's own, are people's, have sealed a plan, and have their page open.
 *
 * @typedef {{own?: number | null, people?: number[], sealed?: number[], present?: number[]}} Seats
 */

/**
 * Returns one player as an item of the strip; `facts` are elements or null, and `press` says what
 * pressing it does, `{pressed, act}`.
 */
export function chip(player, look, { acts, own, state, facts, press = null }) {
  const pressed = press && { "aria-pressed": String(press.pressed), title: words.table.showBoards };
  const name = press
    ? button(playerName(player), press.act, { class: "name", ...pressed })
    : make("span", { class: "name" }, playerName(player));
  return make(
    "li",
    {
      class: `chip${acts ? " acts" : ""}${own ? " own" : ""}`,
      style: `--player: ${look.colors.players[player.seat]}`,
      "data-seat": player.seat,
    },
    boxPicture(look.crests[player.seat], 26),
    make(
      "span",
      { class: "who" },
      name,
      make("small", { class: "state" }, ...state),
    ),
    make("span", { class: "held-by" }, ...facts),
    make("b", { class: "points", title: words.table.points }, String(total(player))),
  );
}

/**
 * Says what a player does now, in a word or two, each in an element of its kind.
 *
 * @param {any} player
 * @param {any} view
 * @param {Seats} seats
 */
export function stateWords(player, view, { own, people = [], sealed = [], present }) {
  const { seat } = player;
  const kinds = [];
  if (present && seat !== own && people.includes(seat) && !present.includes(seat)) kinds.push("away");
  if (view.decision === "over") kinds.push(player.won ? "winner" : "");
  else if (view.decision === "plan") {
    kinds.push(sealed.includes(seat) || player.planned ? "ready" : "planning");
  } else if (view.to_act === seat) kinds.push("acts");
  const said = kinds.filter(Boolean).map((kind) => make("span", { class: kind }, words.table[kind]));
  const place = view.decision === "place" ? (view.order?.indexOf(seat) ?? -1) : -1;
  if (place >= 0) said.unshift(make("span", {}, PLACES[place]));
  return said.flatMap((one) => [one, " "]); // for those who hear it
}

function shapeOf(player, look) {
  const fief = look.fiefs.find(({ number }) => number === player.fief);
  if (!fief) return null;
  const picture = fiefPicture(fief, 0, look.colors.players[player.seat], 9);
  return make("span", { class: "shape", title: fill(words.table.fief, fief.number) }, picture);
}

/** Returns the cards that lie open: the plan of this round, or the one that is locked. */
function cardOf({ plan, locked }, { decision }) {
  const open = decision === "plan" ? locked : plan;
  if (!open || decision === "over") return null;
  const text = planWords(open);
  const [style, title] =
    decision === "plan" ? ["locked-card", fill(words.table.locked, text)] : ["open-card", text];
  return make(
    "span",
    { class: `mini-card ${style}`, title },
    decision === "plan" ? lock() : null,
    make("span", {}, planWords({ ...open, action: "", privilege: false })),
    make("b", {}, `${open.action}${open.privilege ? "♔" : ""}`),
  );
}

/** Returns the own objective, which only its player's page knows. */
function objectiveOf({ objective }, look) {
  if (!objective) return null;
  const { held, symbols } = objective;
  return make(
    "span",
    { class: "objective-held", title: fill(words.table.objective, held, objectivePoints(held)) },
    ...symbols.map((name) => look.symbols?.[name] && boxPicture(look.symbols[name], 18, name)),
    make("b", {}, String(held)),
  );
}
