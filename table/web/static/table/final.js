// The end of a game: points by source, and the winner.

import { announce, make } from "../common/dom.js";
import { victoryWords } from "../common/events.js";
import { boxPicture } from "../common/shapes.js";
import { SOURCES, playerName, total } from "../common/words.js";
import { fill, listed, plural, words } from "../words/index.js";

const [PAUSE, LONGEST] = [700, 5600]; // milliseconds between two sources, and for all together
const { final } = words.table;

/** Shows the final scoring in a panel; with `slowly`, one source after the other. */
export function showFinal(panel, view, board, buttons, slowly, own = null) {
  const rows = [...view.players].sort((a, b) => total(b) - total(a));
  const line = make("p", { class: "winner" }, `♛ ${winnerWords(view)}`);
  const tie = tieWords(view);
  const sources = board.sources ?? SOURCES;
  const verdict = verdictWords(view, own, sources, board.counted);
  panel.replaceChildren(
    make("h2", {}, final.title),
    line,
    ...[verdict, tie].filter(Boolean).map((text) => make("p", {}, text)),
    make(
      "table",
      { class: "final" },
      make("thead", {}, make("tr", {}, ...["", ...rows].map((one) => heading(one, board)))),
      make("tbody", {}, sum(rows), ...sources.map((name, i) => sourceRow(name, i, rows, board))),
    ),
    make("div", { class: "details" }, ...(board.sources ? [] : rows.map(detail))),
    make("div", { class: "buttons" }, ...buttons),
  );
  announce(`${winnerWords(view)}. ${verdict} ${tie}`);
  const [totals, ...parts] = panel.querySelectorAll("tbody tr");
  if (slowly) reveal([...parts, totals, line, ...panel.querySelectorAll(".winner ~ p")]);
}

function reveal(parts) {
  for (const part of parts) part.classList.add("waiting");
  const pause = Math.min(PAUSE, LONGEST / parts.length);
  parts.forEach((part, i) => {
    setTimeout(() => part.classList.remove("waiting"), pause * (i + 1));
  });
}

function winnerWords(view) {
  const winners = view.players.filter((player) => player.won);
  const seats = winners.map((player) => player.seat);
  return victoryWords({ seats, points: total(winners[0]) }, view);
}

/**
 * Returns by how much a seat has won or lost against the best other one, and what made most of it,
 * such as "You lost by 31: 20 by objective and 11 by harbors."; "" where there is no difference.
 */
export function verdictWords(view, seat, sources, [first, last] = [0, sources.length]) {
  if (seat === null) return "";
  const others = view.players.filter((player) => player.seat !== seat);
  const best = others.reduce((one, other) => (total(other) > total(one) ? other : one));
  const by = total(view.players[seat]) - total(best);
  const apart = view.players[seat].scores
    .map((points, i) => [(points - best.scores[i]) * Math.sign(by), sources[i]])
    .filter(([points], i) => points > 0 && first <= i && i < last)
    .sort(([a], [b]) => b - a);
  if (!apart.length) return "";
  const told = apart.slice(0, 2).map(([points, name]) => fill(final.by, points, name));
  return fill(by > 0 ? final.won : final.lost, Math.abs(by), listed(told));
}

/** Returns what decided among players with as many points (R8.3); "" where nothing had to. */
export function tieWords(view) {
  const most = Math.max(...view.players.map(total));
  const level = view.players.filter((player) => total(player) === most);
  const won = level.filter((player) => player.won);
  if (won.length !== 1 || level.length === 1) return "";
  return fill(final.tie, listed(level.map(playerName)), playerName(won[0]));
}

function heading(player, board) {
  if (!player) return make("td");
  const crest = boxPicture(board.crests[player.seat], 22);
  return make("th", { scope: "col" }, crest, make("span", {}, playerName(player)));
}

function sourceRow(name, i, rows, board) {
  const cells = rows.map((player) => make("td", {}, String(player.scores[i])));
  if (board.sources) {
    const [first, last] = board.counted;
    const aside = i < first || i >= last;
    const attributes = aside ? { class: "aside", title: final.aside } : {};
    return make("tr", attributes, make("th", { scope: "row" }, name), ...cells);
  }
  const style = `--source: ${board.colors.sources[i]}`;
  return make("tr", {}, make("th", { scope: "row", class: "source", style }, name), ...cells);
}

function sum(rows) {
  const cells = rows.map((player) => {
    const text = String(total(player));
    return make("td", { class: player.won ? "won" : "" }, text);
  });
  return make("tr", { class: "sum" }, make("th", { scope: "row" }, final.total), ...cells);
}

/** Returns what a player built, in a sentence. */
export function detailWords({ largest_group: pieces, objective, leagues }) {
  const forms = leagues.length === 1 ? final.leagues.one : final.leagues.other;
  const parts = [
    plural(pieces, final.group),
    objective && plural(objective.held, final.objective),
    leagues.length && forms.replace("#", () => listed(leagues)),
  ];
  return parts.filter(Boolean).join("; ");
}

const detail = (player) =>
  make("p", {}, make("b", {}, `${playerName(player)}: `), detailWords(player));
