// The page where one learns: first games, puzzles, and the way to the rules.

import * as api from "../common/api.js";
import { button, byId, make } from "../common/dom.js";
import { fill, words } from "../words/index.js";
import { openFirstGame } from "./first_game.js";
import { solved } from "./solved.js";

const { learn } = words;

/** Returns the puzzles of one game as a list of links, the easier ones first. */
function gameList(name, puzzles, done) {
  const own = puzzles.filter(({ game }) => game === name);
  if (!own.length) return [];
  const count = own.filter(({ id }) => done.has(id)).length;
  const cards = own.map((puzzle, i) => make("li", {}, card(puzzle, i + 1, done.has(puzzle.id))));
  return [
    make("h3", { id: name }, own[0].title),
    make("p", { class: "quiet" }, fill(learn.solvedOf, count, own.length)),
    make("ul", { class: "puzzles" }, ...cards),
  ];
}

function card({ id, question, level, num_players: players }, number, isSolved) {
  return make("a", { href: `/puzzle/${id}`, class: isSolved ? "solved" : "" },
    make("span", { class: "number" }, isSolved ? "✓" : String(number)),
    make("b", {}, learn.kinds[question]),
    make("small", {}, `${learn.levels[level]} · ${fill(learn.players, players)}`),
    isSolved ? make("span", { class: "hidden" }, learn.solved) : null,
  );
}

async function showPuzzles(games) {
  const puzzles = await api.puzzles();
  byId("puzzles").replaceChildren(...games.flatMap(({ name }) => gameList(name, puzzles, solved())));
}

/** Offers the first game of each game that has one. */
function offerFirstGames(games) {
  const offered = games.filter((game) => game.first_game).map(({ name, title }) =>
    button(title, () => openFirstGame(name).catch(notice), { class: "primary", id: `first-${name}` }),
  );
  byId("first-games").replaceChildren(...offered);
}

function notice(error) {
  byId("notice").hidden = false;
  byId("notice").textContent = error.message;
}

async function start() {
  const { games } = await api.options();
  offerFirstGames(games);
  await showPuzzles(games);
  addEventListener("pageshow", ({ persisted }) => persisted && showPuzzles(games).catch(notice));
}

start().catch(notice);
