// The lobby: a first game, a new game, and this browser's tables.

import * as api from "../common/api.js";
import { byId, make } from "../common/dom.js";
import { goToTable, keepSetting, keepTable, setting, stores } from "../common/storage.js";
import { showTables } from "../common/tables.js";
import { playerName } from "../common/words.js";
import { openFirstGame } from "../learn/first_game.js";
import { fill, words } from "../words/index.js";
import { gameCards } from "./games.js";
import { ruleFields, rulesChosen } from "./rules.js";
import { Seats } from "./seats.js";

const FIRST = "gonzaga"; // the game whose options the page knows by name
const NUM_PLAYERS = 2;

class Lobby {
  async start() {
    this.options = await api.options();
    if (navigator.serviceWorker?.controller) byId("about").textContent = words.lobby.aboutHere;
    const { games, rules, default_rules: usual } = this.options;
    const form = this.lastForm();
    const game = games.some(({ name }) => name === form.game) ? form.game : games[0].name;
    byId("games").append(...gameCards(games, game, () => this.setGame()));
    const leagues = rules.sea_league.map((value) => [value, words.lobby.league[value] ?? value]);
    choices(byId("sea-league"), leagues, usual.sea_league);
    const [first, last] = [rules.first_check_round[0], rules.first_check_round.at(-1)];
    const rounds = Array.from({ length: last - first + 1 }, (_, i) => [first + i, String(first + i)]);
    choices(byId("first-check"), rounds, usual.first_check_round);
    byId("name").value = setting("name", "");
    byId("name").placeholder = words.lobby.guest;
    this.setGame(form);
    byId("players").addEventListener("change", () => this.update());
    byId("seats").addEventListener("change", () => this.update(byId("scenario").value));
    byId("edition").addEventListener("change", () => this.update());
    byId("new-game").addEventListener("change", () => history.replaceState(this.form(), ""));
    byId("new-game").addEventListener("submit", (event) => this.submit(event));
    byId("first-game").addEventListener("click", () => this.firstGame());
  }

  /** Returns what was chosen here before a reload or a look elsewhere, or what a link asks for. */
  lastForm() {
    const asked = new URLSearchParams(location.search);
    if (!asked.size) return history.state ?? { game: setting("game", FIRST) };
    const players = Number(asked.get("players")) || NUM_PLAYERS;
    const others = Array(players - 1).fill(asked.get("agent"));
    const form = { game: asked.get("game"), players, edition: asked.get("edition") };
    history.replaceState({ ...form, seats: ["you", ...others] }, "", "/");
    return history.state;
  }

  /** Returns what is chosen, as `lastForm` takes it. */
  form() {
    return {
      game: this.game().name,
      players: Number(byId("players").value),
      edition: byId("edition").value,
      scenario: byId("scenario").value,
      seats: this.seats.chosen,
      rules: this.rules(),
    };
  }

  /** Offers what belongs to the chosen game. */
  setGame(form = {}) {
    const game = this.game();
    this.seats = new Seats(byId("seats"), game);
    this.seats.chosen = form.seats ?? this.seats.chosen;
    const numbers = game.num_players.map((number) => [number, String(number)]);
    choices(byId("players"), numbers, game.num_players.includes(form.players) ? form.players : NUM_PLAYERS);
    const maps = this.editions().map(({ id, name, reconstruction }) => [
      id,
      reconstruction && name !== "reconstruction" ? fill(words.lobby.reconstruction, name) : name,
    ]);
    choices(byId("edition"), maps, form.edition);
    byId("edition-field").hidden = maps.length < 2;
    byId("scenario-field").hidden = !this.editions().some(({ scenarios }) => scenarios.length);
    const isFirst = game.name === FIRST;
    for (const id of ["first-box", "first-about"]) byId(id).hidden = !game.first_game;
    byId("game-about").textContent = words.lobby.games[game.name]?.about ?? game.summary;
    byId("rules-of-gonzaga").hidden = !isFirst;
    byId("rules-of-others").hidden = isFirst;
    byId("rules-of-others").replaceChildren(...ruleFields(game));
    this.restoreRules(form.rules ?? {});
    this.update(form.scenario);
  }

  restoreRules(rules) {
    for (const [name, value] of Object.entries(rules)) {
      const ids = { sea_league: "sea-league", first_check_round: "first-check" };
      const own = byId("rules-of-others").querySelector(`[name="${CSS.escape(name)}"]`);
      if (this.game().name === FIRST) byId(ids[name]).value = value;
      else if (own) own.value = JSON.stringify(value);
    }
  }

  game() {
    const { value } = /** @type {any} */ (document.querySelector("#games input:checked"));
    return this.options.games.find(({ name }) => name === value);
  }

  editions() {
    return this.options.editions.filter(({ game }) => game === this.game().name);
  }

  update(scenario = "") {
    const numPlayers = Number(byId("players").value);
    this.seats.show(numPlayers);
    const names = (this.edition()?.scenarios ?? [])
      .filter((one) => one.num_players === numPlayers)
      .map((one) => [one.name, `${one.name}: ${one.flourishing.join(", ")}`]);
    choices(byId("scenario"), [["", words.lobby.randomScenario], ...names], scenario);
  }

  edition() {
    return this.options.editions.find(({ id }) => id === byId("edition").value);
  }

  async submit(event) {
    event.preventDefault();
    const { kinds, mine, invited } = this.seats.choice();
    keepSetting("name", byId("name").value.trim());
    keepSetting("game", this.game().name);
    const edition = byId("edition").value;
    const scenario = byId("scenario").value || null;
    const settings = { edition, scenario, rules: this.rules(), num_players: kinds.length, seats: kinds };
    await this.open(settings, mine, invited);
  }

  rules() {
    if (this.game().name !== FIRST) return rulesChosen(byId("rules-of-others"));
    return {
      sea_league: byId("sea-league").value,
      first_check_round: Number(byId("first-check").value),
    };
  }

  /** Opens the first game of the chosen game, with lessons. */
  async firstGame() {
    keepSetting("name", byId("name").value.trim());
    await openFirstGame(this.game().name).catch((error) => notice(error.message));
  }

  /** Makes a table and goes to it. */
  async open(settings, mine, invited) {
    const name = byId("name").value.trim() || words.lobby.guest;
    const names = settings.seats.map((kind, seat) => seatName(kind, seat, mine, name));
    const whole = { ...settings, names };
    byId("start").disabled = true;
    try {
      const { table, seats } = await api.newTable(whole);
      const tokens = Object.fromEntries(seats.map(({ seat, token }) => [seat, token]));
      const title = names.map((name, seat) => playerName({ name, seat })).join(", ");
      keepTable(table, { title, settings: whole, tokens, mine, invited, over: false });
      goToTable(table);
    } catch (error) {
      notice(error.message);
      byId("start").disabled = false;
    }
  }
}

/** Returns a seat's name. */
function seatName(kind, seat, mine, name) {
  if (seat === mine) return name;
  return kind === "human" ? "" : kind; // whoever comes gives one
}

function choices(select, pairs, chosen) {
  const values = pairs.map(([value]) => value);
  const selected = values.includes(chosen) ? chosen : values[0];
  select.replaceChildren(
    ...pairs.map(([value, text]) => make("option", { value, selected: value === selected }, text)),
  );
}

function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
  byId("notice").scrollIntoView({ block: "nearest" });
}

if (!stores()) notice(words.lobby.storesNothing);
showTables(byId("tables-box"), byId("tables"), { finished: false });
new Lobby().start().catch((error) => notice(error.message));
