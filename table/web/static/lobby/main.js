// The lobby: a first game, a new game, and this browser's tables.

import * as api from "../common/api.js";
import { byId, make } from "../common/dom.js";
import { keepSetting, keepTable, setting } from "../common/storage.js";
import { playerName } from "../common/words.js";
import { openFirstGame } from "../learn/first_game.js";
import { paceWords } from "../table/clock.js";
import { plural, words } from "../words/index.js";
import { gameCards } from "./games.js";
import { ruleFields, rulesChosen } from "./rules.js";
import { Seats } from "./seats.js";
import { showTables } from "./tables.js";
import { WaitingRoom } from "./waiting.js";

const FIRST = "gonzaga"; // the game whose options the page knows by name
const NUM_PLAYERS = 2;
const NEW_MAP = "new"; // the choice of a map that is drawn when the game begins
const PACES = [
  null,
  { per: "move", seconds: 60 },
  { per: "move", seconds: 300 },
  { per: "game", seconds: 900, increment: 10 },
  { per: "game", seconds: 1800, increment: 20 },
  { per: "move", seconds: 86_400 },
  { per: "move", seconds: 259_200 },
];

const RATED_PACE = PACES[2]; // for rated games, where none was chosen

const AWAYS = [1, 5, 30, 1440]; // minutes after which an agent may play for somebody
const USUAL_AWAY = "5";
const DAY = 1440;

class Lobby {
  async start() {
    this.options = await api.options();
    if (navigator.serviceWorker?.controller) byId("about").textContent = words.lobby.aboutHere;
    const { games, rules, default_rules: usual } = this.options;
    const form = this.lastForm();
    await this.addEdition(form.edition).catch((error) => notice(error.message));
    const game = games.some(({ name }) => name === form.game) ? form.game : games[0].name;
    byId("games").append(...gameCards(games, game, () => this.setGame()));
    const leagues = rules.sea_league.map((value) => [value, words.lobby.league[value] ?? value]);
    choices(byId("sea-league"), leagues, usual.sea_league);
    const [first, last] = [rules.first_check_round[0], rules.first_check_round.at(-1)];
    const rounds = Array.from({ length: last - first + 1 }, (_, i) => [first + i, String(first + i)]);
    choices(byId("first-check"), rounds, usual.first_check_round);
    byId("name").value = setting("name", "");
    byId("name").placeholder = words.lobby.guest;
    byId("rated").checked = form.rated ?? false;
    const paces = PACES.map((pace) => [JSON.stringify(pace), paceWords(pace) || words.lobby.waiting.paceNone]);
    choices(byId("pace"), paces, form.pace);
    choices(byId("how"), Object.entries(words.lobby.waiting.ways), form.how);
    this.setGame(form);
    byId("players").addEventListener("change", () => this.update());
    byId("seats").addEventListener("change", () => this.update(byId("scenario").value));
    byId("edition").addEventListener("change", () => this.update());
    byId("rated").addEventListener("change", () => this.update());
    byId("new-game").addEventListener("change", () => history.replaceState(this.form(), ""));
    byId("new-game").addEventListener("submit", (event) => this.submit(event));
    byId("first-game").addEventListener("click", () => this.firstGame());
    const awayWords = (minutes) =>
      minutes < DAY ? plural(minutes, words.lobby.waiting.minutes) : plural(minutes / DAY, words.table.clock.fullDays);
    const aways = AWAYS.map((minutes) => [String(minutes), awayWords(minutes)]);
    choices(byId("away"), aways, form.away ?? USUAL_AWAY);
    byId("pace").addEventListener("change", () => this.update(byId("scenario").value));
    byId("anybody").addEventListener("click", () => this.meetAnybody());
    const failed = (error) => notice(...whatFailed(error));
    this.waitingRoom = new WaitingRoom(this.options, () => byId("name").value.trim(), notice, failed);
    this.waitingRoom.start();
  }

  /** Returns what was chosen here before a reload or a look elsewhere, or what a link asks for. */
  lastForm() {
    const asked = new URLSearchParams(location.search);
    if (!asked.size) return history.state ?? { game: setting("game", FIRST) };
    const players = Number(asked.get("players")) || NUM_PLAYERS;
    const others = Array(players - 1).fill(asked.get("agent"));
    const form = { game: asked.get("game"), players, edition: asked.get("edition") };
    history.replaceState({ ...form, seats: ["you", ...others], rated: asked.has("rated") }, "", "/");
    return history.state;
  }

  /** Offers a map of the editor, which only those know who have its id. */
  async addEdition(id) {
    if (!id || id === NEW_MAP || this.options.editions.some((one) => one.id === id)) return;
    this.options.editions.push(await api.edition(id));
    byId("options").open = true;
  }

  /** Returns what is chosen, as `lastForm` takes it. */
  form() {
    return {
      game: this.game().name,
      players: Number(byId("players").value),
      edition: byId("edition").value,
      scenario: byId("scenario").value,
      seats: this.seats.chosen,
      rated: byId("rated").checked,
      rules: this.rules(),
      how: byId("how").value,
      pace: byId("pace").value,
      away: byId("away").value,
    };
  }

  /** Waits for anybody who wants the chosen game for two, as it usually is. */
  async meetAnybody() {
    const edition = this.editions()[0].id;
    const asked = { edition, num_players: 2, seats: ["human", "human"], seat: 0, anybody: true };
    await this.waitingRoom.open({ ...asked, scenario: null, rules: {} });
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
      reconstruction && name !== "reconstruction" ? words.lobby.reconstruction(name) : name,
    ]);
    if (game.name === FIRST) maps.splice(1, 0, [NEW_MAP, words.lobby.newMap]);
    choices(byId("edition"), maps, form.edition);
    byId("edition-field").hidden = maps.length < 2;
    byId("scenario-field").hidden = !this.editions().some(({ scenarios }) => scenarios.length);
    const isFirst = game.name === FIRST;
    for (const id of ["first-box", "first-about"]) byId(id).hidden = !game.first_game;
    byId("game-about").textContent = words.lobby.games[game.name]?.about ?? game.summary;
    const agents = Object.values(game.ladder).flat();
    byId("rated-box").hidden = agents.every(({ rating }) => rating === null);
    byId("rated").checked &&= !byId("rated-box").hidden;
    byId("rules-of-gonzaga").hidden = !isFirst;
    byId("rules-of-others").hidden = isFirst;
    byId("rules-of-others").replaceChildren(...ruleFields(game));
    const standIns = ["greedy", "planner"].filter((name) => game.agents.includes(name));
    const { agentPlays } = words.lobby.waiting;
    choices(byId("stand-in"), standIns.map((name) => [name, agentPlays(name)]), "greedy");
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
    const rated = byId("rated").checked;
    this.seats.show(numPlayers, rated);
    byId("options").hidden = rated;
    const withPeople = this.seats.chosen.includes("else");
    byId("rated-people").hidden = !(rated && withPeople);
    withhold(byId("how"), "links", rated, "link");
    withhold(byId("pace"), "null", rated, JSON.stringify(RATED_PACE));
    byId("stand-in-field").hidden = (byId("pace").value || "null") === "null";
    byId("away").closest("label").hidden = rated; // the clock decides
    byId("how-field").hidden = !withPeople;
    const isNew = byId("edition").value === NEW_MAP;
    byId("new-map").hidden = !isNew;
    byId("scenario").disabled = isNew;
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
    const rated = byId("rated").checked;
    keepSetting("name", byId("name").value.trim());
    keepSetting("game", this.game().name);
    const chosen = {
      edition: byId("edition").value,
      scenario: byId("scenario").value || null,
      rules: this.rules(),
    };
    const usual = { edition: this.editions()[0].id, scenario: null, rules: {}, rated };
    const pace = invited.length ? this.pace() : {};
    const settings = { ...pace, num_players: kinds.length, seats: kinds, ...(rated ? usual : chosen) };
    if (invited.length && byId("how").value !== "links") {
      const isPublic = byId("how").value === "open";
      await this.waitingRoom.open({ ...settings, seat: mine ?? -1, public: isPublic });
    } else await this.open(settings, mine, invited);
  }

  /** Returns how long people may think and stay away, as the server takes it. */
  pace() {
    const pace = JSON.parse(byId("pace").value || "null");
    const away = 60 * Number(byId("away").value);
    return { pace: pace && { ...pace, agent: byId("stand-in").value }, away };
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
      if (whole.edition === NEW_MAP) whole.edition = (await api.newMap()).id;
      const { table, seats } = await api.newTable(whole);
      const tokens = Object.fromEntries(seats.map(({ seat, token }) => [seat, token]));
      const title = names.map((name, seat) => playerName({ name, seat })).join(", ");
      keepTable(table, { title, settings: whole, tokens, mine, invited, over: false });
      location.assign(`/table/${table}`);
    } catch (error) {
      notice(...whatFailed(error));
      byId("start").disabled = false;
    }
  }
}

/** Returns what an error says, with a link to the rated game that comes first. */
function whatFailed({ code, message }) {
  const table = code === "rated" && /\/table\/[\w-]+/.exec(message)?.[0];
  if (!table) return [message];
  return [`${words.lobby.openRated} `, make("a", { href: table }, words.lobby.toTable)];
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

/** Takes a choice away, or gives it back; where it was chosen, another one is. */
function withhold(select, value, withheld, otherwise) {
  const option = select.querySelector(`[value="${CSS.escape(value)}"]`);
  option.hidden = option.disabled = withheld;
  if (withheld && select.value === value) select.value = otherwise;
}

function notice(...parts) {
  byId("notice").hidden = !parts.length;
  byId("notice").replaceChildren(...parts);
  byId("notice").scrollIntoView({ block: "nearest" });
}

showTables(byId("tables-box"), byId("tables"));
new Lobby().start().catch((error) => notice(error.message));
