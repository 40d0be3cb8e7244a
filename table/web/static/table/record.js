// What can be done with a game that is over.

import { make } from "../common/dom.js";
import { keepTable, sitAt, tableOf } from "../common/storage.js";

/** Saves the record as a file. */
export async function download(page) {
  const text = await page.table.record();
  const href = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  make("a", { href, download: `${page.game.name}-${page.id}.jsonl` }).click();
  URL.revokeObjectURL(href);
}

/** Opens the game's own page: its positions, its curve, and what would have been better. */
export async function analyse(page) {
  location.assign(`/game/${page.id}`);
}

/** Goes to the rematch; whoever asks first opens it. Everybody sits one seat further on. */
export async function playAgain(page) {
  if (!page.next && page.seat !== null) page.receive(await page.table.change("rematch"));
  if (page.next) keepRematch(page);
  location.assign(page.next ? `/table/${page.next}` : "/");
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
