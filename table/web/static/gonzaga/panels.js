// The players' panels: everything that the view holds about them.

import { fill, plural, words } from "../words/index.js";
import { make } from "../common/dom.js";
import { key } from "../common/geometry.js";
import { boxPicture, fiefPicture, ringsPicture } from "../common/shapes.js";
import { PLACES, SOURCES, objectivePoints, planWords, playerName, total } from "../common/words.js";

const said = words.table.panel;
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
        player.locked ? fact(said.locked, planWords(player.locked)) : null,
        fact(said.group, groupWords(player)),
        player.leagues.length ? fact(said.leagues, player.leagues.join(", ")) : null,
      ),
      fief(player, board, color),
    ),
    player.objective ? objective(player, { view, board }) : null,
  );
}

function header(player, { view, board, own }) {
  const place = view.order.indexOf(player.seat);
  const notes = [
    player.seat === own ? said.you : null,
    player.won ? said.winner : null,
    place >= 0 ? PLACES[place] : null,
    view.to_act === player.seat ? said.toAct : null,
  ].filter(Boolean);
  return make(
    "header",
    {},
    boxPicture(board.crests[player.seat], 26),
    make("h3", {}, playerName(player)),
    make("span", { class: "note" }, notes.join(" · ")),
    make("b", { class: "score", title: said.points }, String(total(player))),
  );
}

function bar(player, board, scale) {
  const scored = player.scores.map((points, i) => `${SOURCES[i]} ${points}`);
  const parts = player.scores.map((points, i) =>
    points
      ? make(
          "span",
          {
            style: `width: ${(100 * points) / scale}%; background: ${board.colors.sources[i]}`,
            title: scored[i],
          },
          points / scale > 0.045 ? String(points) : "",
        )
      : null,
  );
  const label = scored.join(", ");
  return make("div", { class: "bar", role: "img", "aria-label": label }, ...parts);
}

function plan(player, view) {
  if (view.decision === "over") return null;
  if (player.plan) {
    const cards = planWords(player.plan);
    return fact(said.plan, view.decision === "plan" ? fill(said.sealed, cards) : cards, "plan");
  }
  return fact(said.plan, player.planned ? said.isSealed : said.notYet, "plan");
}

function fact(name, text, style = "") {
  return make("div", { class: `fact ${style}` }, make("span", {}, name), ` ${text}`);
}

const groupWords = (player) =>
  player.largest_group ? plural(player.largest_group, said.pieces) : said.none;

function fief(player, board, color) {
  if (player.fief === null) return null;
  const shape = board.fiefs.find((one) => one.number === player.fief);
  return make(
    "figure",
    { title: fill(said.fief, player.fief) },
    fiefPicture(shape, 0, color, 17),
    make("figcaption", {}, fill(said.card, player.card)),
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
    { class: "objective", title: said.objective },
    ...symbols,
    make("b", {}, ` ${fill(said.held, player.objective.held, cities.length, points)} `),
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
