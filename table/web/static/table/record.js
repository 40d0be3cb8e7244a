// How another game follows one that is over.

import * as api from "../common/api.js";
import { goToTable, keepTable, sitAt, tableOf } from "../common/storage.js";

/** Goes to the rematch; whoever asks first opens it. Everybody sits one seat further on. */
export async function playAgain(page) {
  if (!page.next && page.seat === null) return newGame(page);
  if (!page.next) page.receive(await page.table.change("rematch"));
  keepRematch(page);
  return goToTable(page.next);
}

/** Opens another table with the settings of one where this browser is alone with agents. */
export async function newGame({ id }) {
  const kept = tableOf(id);
  if (!kept?.settings) return location.assign("/");
  const { settings, title, mine } = kept;
  const { table, seats } = await api.newTable(settings);
  const tokens = Object.fromEntries(seats.map(({ seat, token }) => [seat, token]));
  keepTable(table, { settings, title, mine, tokens, over: false });
  return goToTable(table);
}

function keepRematch({ id, seat, next, settings }) {
  const number = settings.seats.length;
  const moved = (old) => (Number(old) + number - 1) % number;
  if (seat !== null) sitAt(next, moved(seat));
  const kept = tableOf(id);
  if (!kept || tableOf(next)) return;
  const tokens = Object.fromEntries(
    Object.entries(kept.tokens).map(([old, token]) => [moved(old), token]),
  );
  const mine = kept.mine === null ? null : moved(kept.mine);
  const invited = kept.invited.map(moved);
  keepTable(next, { settings: kept.settings, title: kept.title, mine, invited, tokens, over: false });
}
