// The end of a game: points by source, and the winner.

import { announce, counted, make } from "../common/dom.js";
import { boxPicture } from "../common/shapes.js";
import { SOURCES, playerName, total } from "../common/words.js";

const [PAUSE, LONGEST] = [700, 5600]; // milliseconds between two sources, and for all together

/** Shows the final scoring in a panel; with `slowly`, one source after the other. */
export function showFinal(panel, view, board, buttons, slowly) {
  const rows = [...view.players].sort((a, b) => total(b) - total(a));
  const line = make("p", { class: "winner" }, winnerWords(view));
  const sources = board.sources ?? SOURCES;
  panel.replaceChildren(
    make("h2", {}, "Final scoring"),
    line,
    make(
      "table",
      { class: "final" },
      make("thead", {}, make("tr", {}, ...["", ...rows].map((one) => heading(one, board)))),
      make("tbody", {}, ...sources.map((name, i) => sourceRow(name, i, rows, board)), sum(rows)),
    ),
    make("div", { class: "details" }, ...(board.sources ? [] : rows.map((one) => detail(one)))),
    make("div", { class: "buttons" }, ...buttons),
  );
  announce(line.textContent);
  if (slowly) reveal(panel.querySelectorAll("tbody tr"), line);
}

function reveal(rows, line) {
  const parts = [...rows, line];
  for (const part of parts) part.classList.add("waiting");
  const pause = Math.min(PAUSE, LONGEST / parts.length);
  parts.forEach((part, i) => {
    setTimeout(() => part.classList.remove("waiting"), pause * (i + 1));
  });
}

function winnerWords(view) {
  const winners = view.players.filter((player) => player.won);
  const names = winners.map(playerName).join(" and ");
  const verb = winners.length === 1 ? "wins" : "share the victory";
  return `♛ ${names} ${verb} with ${total(winners[0])} points`;
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
    const attributes = aside ? { class: "aside", title: "counted on the way, not in the total" } : {};
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
  return make("tr", { class: "sum" }, make("th", { scope: "row" }, "total"), ...cells);
}

function detail(player) {
  const cities = player.objective ? `; ${player.objective.held} cities of the objective` : "";
  const leagues = player.leagues.length ? `; leagues: ${player.leagues.join(", ")}` : "";
  const group = counted(player.largest_group, "connected piece");
  return make("p", {}, make("b", {}, `${playerName(player)}: `), `${group}${cities}${leagues}`);
}
