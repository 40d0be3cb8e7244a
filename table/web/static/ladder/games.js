// A person's rated games as a table.

import { make } from "../common/dom.js";
import { levelWord } from "../common/levels.js";
import { language, listed, words } from "../words/index.js";

const said = words.ladder;

/** Returns the table of some games; `ladder` says how strong their agents are. */
export function gamesTable(games, ladder) {
  const levels = Object.fromEntries(ladder.map(({ agent, level }) => [agent, level]));
  const head = [said.date, said.opponents, said.result].map((text) => make("th", { scope: "col" }, text));
  return make("table", {},
    make("thead", {}, make("tr", {}, ...head, make("td"))),
    make("tbody", {}, ...games.map((game) => row(game, levels))));
}

function row(game, levels) {
  const { table, agents, ended, kept, outcome } = game;
  const when = ended === null ? said.goesOn
    : new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(1000 * ended);
  const others = agents.filter((agent) => agent !== null)
    .map((one) => typeof one === "number" ? said.person(one) : `${one} (${levelWord(levels[one]) || said.unrated})`);
  const href = `/${outcome === "played" ? "game" : "table"}/${encodeURIComponent(table)}`;
  const link = kept ? make("a", { href, "aria-label": said.openGame(when) }, said.open) : "";
  return make("tr", {},
    make("td", {}, when), make("td", {}, listed(others)),
    make("td", { class: won(game) ? "won" : "" }, resultWords(game)), make("td", {}, link));
}

const won = ({ outcome, places, seat }) => outcome === "conceded" || places?.[seat] === 0;

/** Returns how a game ended for its person. */
export function resultWords({ outcome, places, seat, num_players: number }) {
  if (outcome === null) return said.goesOn;
  if (outcome !== "played") return said[outcome];
  if (places[seat] > 0) return said.placed(words.common.places[before(places, seat)], number);
  return places.filter((place) => place === 0).length > 1 ? said.shared : said.won;
}

/** Returns how many came in before a seat. */
const before = (places, seat) => places.filter((place) => place < places[seat]).length;
