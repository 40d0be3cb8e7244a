// What has happened since a player's last decision, player by player, for who looks away at times.

import { fill, words } from "../words/index.js";
import { make } from "./dom.js";
import { cellsOf, lineWords } from "./events.js";
import { boxPicture } from "./shapes.js";
import { playerName } from "./words.js";

const { events } = words;
const UNTOLD = ["plan", "reveal"]; // sealed plans; the turn order tells them once they are open

/**
 * Returns what has happened since a seat's last decision: the lines of the whole table, and of each
 * other player with the points that they scored. Null if there was no decision yet, or nobody has
 * done anything but plan.
 *
 * @param {Map<number, any[]>} moves the lines of each move
 * @param {number} own
 */
export function sinceOwnMove(moves, own) {
  const told = [...moves].sort(([a], [b]) => a - b).map(([, lines]) => lines);
  const last = told.findLastIndex((lines) => lines[0].seat === own);
  if (last < 0) return null;
  const lines = [told[last].slice(1), ...told.slice(last + 1)]
    .flat()
    .filter(({ seat, event }) => seat !== own && !UNTOLD.includes(event?.kind));
  const seats = [...new Set(lines.map(({ seat }) => seat))].filter((seat) => seat !== null);
  if (lines.every(({ seat, event }) => seat === null || event?.kind === "order")) return null;
  return {
    lines,
    all: lines.filter(({ seat }) => seat === null),
    players: seats.map((seat) => {
      const theirs = lines.filter((line) => line.seat === seat);
      const scored = theirs.map(({ event }) => event?.points).filter(Number.isInteger);
      const points = scored.length ? scored.reduce((sum, one) => sum + one, 0) : null;
      return { seat, points, lines: theirs };
    }),
  };
}

const pointsWords = (points) => (points === null ? "" : ` ${fill(events.points, points)}`);

/** Returns a summary of what has happened, closed; `mark(cells)` shows its hexes while it is open. */
export function sinceBox({ all, players, lines }, view, board, mark) {
  const gains = players
    .filter(({ points }) => points)
    .map(({ seat, points }) => `${playerName(view.players[seat])}${pointsWords(points)}`);
  const title = gains.length ? fill(events.sinceWith, gains.join(", ")) : events.since;
  const box = make(
    "details",
    { class: "since", ontoggle: () => mark(box.open ? cellsOf(lines) : []) },
    make("summary", {}, title),
    make("ul", {}, ...players.map((player) => row(player, view, board))),
    ...all.map((line) => make("p", { class: "quiet" }, lineWords(line, view))),
  );
  return box;
}

function row({ seat, points, lines }, view, board) {
  return make(
    "li",
    {},
    boxPicture(board.crests[seat], 16),
    make("b", {}, ` ${playerName(view.players[seat])}${pointsWords(points)}: `),
    lines.map((line) => lineWords(line, view)).join("; "),
  );
}
