// What can be done with a game that is over.

import * as api from "../common/api.js";
import { make } from "../common/dom.js";
import { keepTable, tableOf } from "../common/storage.js";

/** Saves the record as a file. */
export async function download(page) {
  const text = await page.table.record();
  const href = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  make("a", { href, download: `${page.game.name}-${page.id}.jsonl` }).click();
  URL.revokeObjectURL(href);
}

/** Opens the page that steps through records, with this game. */
export async function stepThrough(page) {
  sessionStorage.setItem("gonzaga.record", await page.table.record());
  location.assign("/record");
}

/** Starts a new game with the same settings. */
export async function playAgain(page) {
  const kept = tableOf(page.id);
  if (!kept?.settings) {
    location.assign("/");
    return;
  }
  const { table, seats } = await api.newTable(kept.settings);
  const tokens = Object.fromEntries(seats.map(({ seat, token }) => [seat, token]));
  const { settings, title, mine, invited } = kept;
  keepTable(table, { settings, title, mine, invited, tokens, over: false });
  location.assign(`/table/${table}`);
}
