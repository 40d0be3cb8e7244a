// The ladder: the agents' ratings, one's own with its history, and the key that it is kept under.

import * as api from "../common/api.js";
import { byId, make } from "../common/dom.js";
import { levelWord, ratingWords } from "../common/levels.js";
import { playerKey } from "../common/storage.js";
import { plural, words } from "../words/index.js";
import { curve } from "./curve.js";
import { gamesTable } from "./games.js";
import { showKey } from "./key.js";

const said = words.ladder;
const VAGUE = 400; // points between the ends of an interval that says little
const NOBODY = { ratings: [], games: [] };

class Ladder {
  async start() {
    document.title = `${said.title} · gonzaga-play`;
    byId("how").append(...said.howText.map((text) => make("p", {}, text)));
    this.games = (await api.options()).games;
    byId("game").append(...this.games.map(({ name, title }) => make("option", { value: name }, title)));
    byId("game").addEventListener("change", () => this.choose(byId("game").value, this.numPlayers));
    byId("players").addEventListener("change", () => this.choose(this.game.name, Number(byId("players").value)));
    addEventListener("hashchange", () => this.show());
    await this.read();
  }

  /** Reads what the server keeps of this browser's person, and shows it. */
  async read() {
    this.person = playerKey() ? await api.ladder(playerKey()) : NOBODY;
    showKey(byId("key"), () => this.read());
    this.show();
  }

  /** Goes to another ladder, by an address that reloads and links keep. */
  choose(game, numPlayers) {
    location.hash = `${game}-${numPlayers}`;
  }

  show() {
    const [game, number] = location.hash.slice(1).split("-");
    const last = this.person.games[0];
    const wanted = (name) => this.games.find((one) => one.name === name);
    this.game = wanted(game) ?? wanted(last?.game) ?? this.games[0];
    const numbers = this.game.num_players;
    this.numPlayers = [Number(number), last?.num_players, 2].find((one) => numbers.includes(one));
    byId("game").value = this.game.name;
    byId("players").replaceChildren(
      ...numbers.map((one) => make("option", { selected: one === this.numPlayers }, String(one))),
    );
    const isHere = (one) => one.game === this.game.name && one.num_players === this.numPlayers;
    const mine = this.person.ratings.find(isHere);
    const agents = this.game.ladder[this.numPlayers].filter(({ rating }) => rating !== null);
    byId("mine").replaceChildren(...this.mine(mine?.num_games ? mine : null, agents));
    byId("rungs").replaceChildren(this.rungs(mine?.num_games ? mine : null, agents));
    const games = this.person.games.filter(isHere);
    byId("games-box").hidden = !games.length;
    byId("games").replaceChildren(gamesTable(games, this.game.ladder[this.numPlayers]));
  }

  /** Returns one's own rating in large letters, and its curve. */
  mine(mine, agents) {
    if (!mine) return [make("p", {}, said.noRating), this.playLink(middle(agents), "primary")];
    const [, rating, low, high] = mine.curve.at(-1);
    return [
      make("p", { class: "own-rating" },
        make("strong", {}, String(rating)),
        ` (${said.between(low, high)}), ${plural(mine.num_games, said.numGames)}`),
      high - low > VAGUE ? make("p", { class: "quiet" }, said.vague) : "",
      mine.curve.length > 1 ? curve(mine.curve, agents) : "",
    ];
  }

  /** Returns the table of agents, with oneself among them. */
  rungs(mine, agents) {
    const [, rating, low, high] = mine?.curve.at(-1) ?? [];
    const me = { agent: null, rating, low, high };
    const all = mine ? [...agents, me].sort((one, other) => other.rating - one.rating) : agents;
    const head = ["place", "agent", "rating", "interval"].map((name) =>
      make("th", { scope: "col", class: name }, said[name]));
    return make("table", { class: "rungs" },
      make("thead", {}, make("tr", {}, ...head, make("td"))),
      make("tbody", {}, ...all.map((one, i) => this.rung(one, i + 1))));
  }

  rung(one, place) {
    const { agent, level, low, high } = one;
    return make("tr", { class: agent === null ? "me" : "" },
      make("td", { class: "place" }, String(place)),
      make("th", { scope: "row" },
        ...(agent === null ? [said.you] : [levelWord(level), " ", make("small", {}, agent)])),
      make("td", { class: "rating" }, ratingWords(one)),
      make("td", { class: "interval" }, low === null || low === high ? "" : said.between(low, high)),
      make("td", {}, agent === null ? "" : this.playLink(one)));
  }

  /** Returns a link to the lobby where a rated game against an agent is chosen. */
  playLink({ agent, level }, kind = "") {
    const query = new URLSearchParams({
      game: this.game.name, players: String(this.numPlayers), agent, rated: "1",
    });
    const label = said.playAgainst(`${agent} (${levelWord(level)})`);
    return make("a", { href: `/?${query}`, class: `button ${kind}`, "aria-label": label },
      kind ? label : said.play);
  }
}

/** Returns the agent whom a newcomer may beat. */
const middle = (agents) => agents.find(({ level }) => level === "beginner") ?? agents.at(-1);

new Ladder().start().catch((error) => {
  byId("notice").hidden = false;
  byId("notice").textContent = error.message;
});
