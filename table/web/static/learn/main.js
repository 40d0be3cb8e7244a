// The page where one learns: the first game, the puzzles, and the way to the rules.

import * as api from "../common/api.js";
import { byId, make } from "../common/dom.js";
import { words } from "../words/index.js";
import { openFirstGame } from "./first_game.js";
import { solved } from "./solved.js";

const { learn } = words;

/** Returns the puzzles of one level as a list of links. */
function levelList(level, puzzles, done) {
  const cards = puzzles
    .map((puzzle, i) => ({ ...puzzle, number: i + 1 }))
    .filter((puzzle) => puzzle.level === level)
    .map((puzzle) => make("li", {}, card(puzzle, done.has(puzzle.id))));
  if (!cards.length) return [];
  return [make("h3", {}, learn.levels[level]), make("ul", { class: "puzzles" }, ...cards)];
}

function card(puzzle, isSolved) {
  const { id, title, number, question, num_players: players } = puzzle;
  return make("a", { href: `/puzzle/${id}`, class: isSolved ? "solved" : "" },
    make("span", { class: "number" }, isSolved ? "✓" : String(number)),
    make("b", {}, learn.kinds[question]),
    make("small", {}, `${title} · ${learn.players(players)}`),
    isSolved ? make("span", { class: "hidden" }, learn.solved) : null,
  );
}

async function showPuzzles() {
  const puzzles = await api.puzzles();
  const done = solved();
  const count = puzzles.filter(({ id }) => done.has(id)).length;
  byId("progress").textContent = learn.solvedOf(count, puzzles.length);
  byId("puzzles").replaceChildren(...[1, 2, 3].flatMap((level) => levelList(level, puzzles, done)));
}

function notice(error) {
  byId("notice").hidden = false;
  byId("notice").textContent = error.message;
}

byId("first-game").addEventListener("click", () => openFirstGame().catch(notice));
showPuzzles().catch(notice);
addEventListener("pageshow", ({ persisted }) => persisted && showPuzzles().catch(notice));
