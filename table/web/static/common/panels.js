// The players' panels: everything that the view holds about them.

import { counted, make } from "./dom.js";
import { key } from "./geometry.js";
import { boxPicture, fiefPicture, ringsPicture } from "./shapes.js";
import { PLACES, SOURCES, objectivePoints, planWords, playerName, total } from "./words.js";

const LEAST_SCALE = 60; // points over the width of a bar, at least

/** Returns the panel of each player; `own` is this page's seat or null. */
export function playerPanels(view, board, own) {
  const scale = Math.max(LEAST_SCALE, ...view.players.map(total));
  const seats = view.players.map((player) => player.seat);
  const order = own === null ? seats : [...seats.slice(own), ...seats.slice(0, own)];
  return order.map((seat) => panel(view.players[seat], { view, board, own, scale }));
}

function panel(player, { view, board, own, scale }) {
  const color = board.colors.players[player.seat];
  const acts = view.to_act === player.seat;
  const classes = `player${acts ? " acts" : ""}${player.won ? " won" : ""}`;
  return make(
    "article",
    { class: classes, style: `--player: ${color}`, "data-seat": player.seat },
    header(player, { view, board, own }),
    bar(player, board, scale),
    make(
      "div",
      { class: "row" },
      make(
        "div",
        { class: "facts" },
        make("div", { class: "rings" }, ringsPicture(player.rings, color)),
        plan(player, view),
        player.locked ? fact("locked", planWords(player.locked)) : null,
        fact("group", groupWords(player)),
        player.leagues.length ? fact("leagues", player.leagues.join(", ")) : null,
      ),
      fief(player, board, color),
    ),
    player.objective ? objective(player, { view, board }) : null,
  );
}

function header(player, { view, board, own }) {
  const place = view.order.indexOf(player.seat);
  const notes = [
    player.seat === own ? "you" : null,
    player.won ? "winner" : null,
    place >= 0 ? PLACES[place] : null,
    view.to_act === player.seat ? "to act" : null,
  ].filter(Boolean);
  return make(
    "header",
    {},
    boxPicture(board.crests[player.seat], 26),
    make("h3", {}, playerName(player)),
    make("span", { class: "note" }, notes.join(" · ")),
    make("b", { class: "score", title: "points" }, String(total(player))),
  );
}

function bar(player, board, scale) {
  const words = player.scores.map((points, i) => `${SOURCES[i]} ${points}`);
  const parts = player.scores.map((points, i) =>
    points
      ? make(
          "span",
          {
            style: `width: ${(100 * points) / scale}%; background: ${board.colors.sources[i]}`,
            title: words[i],
          },
          points / scale > 0.045 ? String(points) : "",
        )
      : null,
  );
  const label = words.join(", ");
  return make("div", { class: "bar", role: "img", "aria-label": label }, ...parts);
}

function plan(player, view) {
  if (view.stage === "over") return null;
  if (player.plan) {
    const sealed = view.stage === "planning" ? " (sealed)" : "";
    return fact("plan", `${planWords(player.plan)}${sealed}`, "plan");
  }
  return fact("plan", player.planned ? "sealed" : "not yet", "plan");
}

function fact(name, text, style = "") {
  return make("div", { class: `fact ${style}` }, make("span", {}, name), ` ${text}`);
}

const groupWords = (player) =>
  player.largest_group ? `${counted(player.largest_group, "piece")} connected` : "none";

function fief(player, board, color) {
  if (player.fief === null) return null;
  const shape = board.fiefs.find((one) => one.number === player.fief);
  return make(
    "figure",
    { title: `Fief ${player.fief} of this round; the number on its card breaks ties` },
    fiefPicture(shape, 0, color, 17),
    make("figcaption", {}, `card ${player.card}`),
  );
}

/** Returns an objective: its symbols, and its cities with those that are held. */
function objective(player, { view, board }) {
  const held = new Set([
    ...view.fiefs.filter((one) => one.seat === player.seat).flatMap((one) => one.cells.map(key)),
    ...view.rings.filter((one) => one.seat === player.seat).map((one) => key(one.cell)),
  ]);
  const cities = board.sites.filter((site) => player.objective.symbols.includes(site.symbol));
  const symbols = player.objective.symbols.map((name) =>
    board.symbols?.[name] ? boxPicture(board.symbols[name], 22, name) : make("i", {}, name),
  );
  const names = cities.flatMap((city) => {
    const has = held.has(key(city.cell));
    return [make("span", { class: has ? "held" : "" }, `${has ? "✓" : ""}${city.name}`), " "];
  });
  const points = objectivePoints(player.objective.held);
  return make(
    "div",
    { class: "objective", title: "Your objective: 2, 5, 10, 15, 25, 35 points for 1 to 6 cities" },
    ...symbols,
    make("b", {}, ` ${player.objective.held} of ${cities.length}, +${points} `),
    make("span", { class: "cities" }, ...names),
  );
}

/** Returns the key of the bars' colours. */
export function sourcesKey(board) {
  return make(
    "p",
    { class: "sources" },
    ...SOURCES.flatMap((name, i) => [
      make("span", { style: `--source: ${board.colors.sources[i]}` }, name),
      " ",
    ]),
  );
}
