// The lobby: a first game, a new game, and this browser's tables.

import * as api from "../common/api.js";
import { byId, drawn, make, makeSvg } from "../common/dom.js";
import { keepSetting, keepTable, setting } from "../common/storage.js";
import { openFirstGame } from "../learn/first_game.js";
import { ruleFields, rulesChosen } from "./rules.js";
import { Seats } from "./seats.js";
import { showTables } from "./tables.js";

const LEAGUES = {
  each_player: "each player may found one in each sea",
  first_only: "one in each sea for all players",
};
const NOBODY = "Guest";
const FIRST = "gonzaga"; // the game whose options the page knows by name

class Lobby {
  async start() {
    this.options = await api.options();
    const { games, rules, default_rules: usual } = this.options;
    choices(byId("game"), games.map(({ name, title }) => [name, title]), setting("game", FIRST));
    byId("game-field").hidden = games.length < 2;
    const leagues = rules.sea_league.map((value) => [value, LEAGUES[value] ?? value]);
    choices(byId("sea-league"), leagues, usual.sea_league);
    const [first, last] = [rules.first_check_round[0], rules.first_check_round.at(-1)];
    const rounds = Array.from({ length: last - first + 1 }, (_, i) => [first + i, String(first + i)]);
    choices(byId("first-check"), rounds, usual.first_check_round);
    byId("name").value = setting("name", "");
    byId("name").placeholder = NOBODY;
    this.setGame();
    byId("game").addEventListener("change", () => this.setGame());
    byId("players").addEventListener("change", () => this.update());
    byId("edition").addEventListener("change", () => this.update());
    byId("new-game").addEventListener("submit", (event) => this.submit(event));
    byId("first-game").addEventListener("click", () => this.firstGame());
    addEventListener("theme", () => this.drawMap());
    await this.drawMap();
  }

  /** Offers what belongs to the chosen game. */
  setGame() {
    const game = this.game();
    this.seats = new Seats(byId("seats"), game.agents);
    choices(byId("players"), game.num_players.map((number) => [number, String(number)]), 3);
    const maps = this.editions().map(({ id, name, reconstruction }) => [
      id,
      reconstruction && name !== "reconstruction" ? `${name} (a reconstruction)` : name,
    ]);
    choices(byId("edition"), maps);
    byId("edition-field").hidden = maps.length < 2;
    byId("scenario-field").hidden = !this.editions().some(({ scenarios }) => scenarios.length);
    byId("rules-of-gonzaga").hidden = game.name !== FIRST;
    byId("rules-of-others").hidden = game.name === FIRST;
    byId("rules-of-others").replaceChildren(...ruleFields(game));
    this.update();
  }

  game() {
    return this.options.games.find(({ name }) => name === byId("game").value);
  }

  editions() {
    return this.options.editions.filter(({ game }) => game === byId("game").value);
  }

  update() {
    const numPlayers = Number(byId("players").value);
    this.seats.show(numPlayers);
    const edition = this.edition();
    const names = edition.scenarios
      .filter((one) => one.num_players === numPlayers)
      .map((one) => [one.name, `${one.name}: ${one.flourishing.join(", ")}`]);
    choices(byId("scenario"), [["", "drawn at random"], ...names]);
  }

  edition() {
    return this.options.editions.find(({ id }) => id === byId("edition").value);
  }

  async submit(event) {
    event.preventDefault();
    const { kinds, mine, invited } = this.seats.choice();
    keepSetting("name", byId("name").value.trim());
    keepSetting("game", byId("game").value);
    await this.open(
      {
        edition: byId("edition").value,
        num_players: Number(byId("players").value),
        scenario: byId("scenario").value || null,
        rules: this.rules(),
        seats: kinds,
      },
      mine,
      invited,
    );
  }

  rules() {
    if (byId("game").value !== FIRST) return rulesChosen(byId("rules-of-others"));
    return {
      sea_league: byId("sea-league").value,
      first_check_round: Number(byId("first-check").value),
    };
  }

  /** Opens the first game, with a lesson a round. */
  async firstGame() {
    keepSetting("name", byId("name").value.trim());
    await openFirstGame().catch((error) => notice(error.message));
  }

  /** Makes a table and goes to it. */
  async open(settings, mine, invited) {
    const name = byId("name").value.trim() || NOBODY;
    const names = settings.seats.map((kind, seat) => seatName(kind, seat, mine, name));
    const whole = { ...settings, names };
    byId("start").disabled = true;
    try {
      const { table, seats } = await api.newTable(whole);
      const tokens = Object.fromEntries(seats.map(({ seat, token }) => [seat, token]));
      const title = names.join(", ");
      keepTable(table, { title, settings: whole, tokens, mine, invited, over: false });
      location.assign(`/table/${table}`);
    } catch (error) {
      notice(error.message);
      byId("start").disabled = false;
    }
  }

  async drawMap() {
    const edition = this.options.editions[0];
    const board = await api.board(`/api/board?edition=${encodeURIComponent(edition.id)}`);
    const svg = makeSvg("svg", { viewBox: `0 0 ${board.width} ${board.height}` });
    svg.append(...["ground", "marks", "names"].map((layer) => drawn(board[layer])));
    byId("map").replaceChildren(svg);
  }
}

/** Returns a seat's name. */
function seatName(kind, seat, mine, name) {
  if (seat === mine) return name;
  return kind === "human" ? `Player ${seat + 1}` : kind;
}

function choices(select, pairs, chosen) {
  select.replaceChildren(
    ...pairs.map(([value, text]) => make("option", { value, selected: value === chosen }, text)),
  );
}

function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}

showTables(byId("tables-box"), byId("tables"));
new Lobby().start().catch((error) => notice(error.message));
