// Opens the first game: a fixed deal against a gentle opponent, with a lesson for each of some decisions.

import * as api from "../common/api.js";
import { goToTable, keepSetting, keepTable, setting } from "../common/storage.js";
import { words } from "../words/index.js";

/** Makes the table of the first game of a game, by its name, and goes to it. */
export async function openFirstGame(game) {
  const name = setting("name", "") || words.lobby.guest;
  const { table, seats } = await api.newTable({ first_game: game, name });
  const tokens = Object.fromEntries(seats.map(({ seat, token }) => [seat, token]));
  keepSetting("lessons", true);
  keepTable(table, { title: words.learn.firstTitle, tokens, mine: 0, invited: [], over: false });
  goToTable(table);
}
