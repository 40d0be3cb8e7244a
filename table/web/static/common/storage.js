// What this browser keeps: its tables with their tokens, and settings.

const TABLES = "gonzaga.tables";
const SETTINGS = "gonzaga.settings";
const PLAYER = "gonzaga.player";
const WAITS = "gonzaga.waits";
const MOST = 50;

const read = (key, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
};

/** Returns this browser's tables, the one used last first. */
export const tables = () => read(TABLES, []);

/**
 * Returns one table: `{id, title, settings, tokens: {seat: token}, mine, invited, over}`, and as it
 * was when it was last open `{game, map, newMap, names, stage, moves, played}`.
 */
export const tableOf = (id) => tables().find((table) => table.id === id);

/** Keeps a table, or changes what is kept of it. */
export function keepTable(id, changes) {
  const others = tables().filter((table) => table.id !== id);
  const known = tableOf(id) ?? { id, tokens: {}, mine: null, invited: [] };
  const tokens = { ...known.tokens, ...changes.tokens };
  const kept = [{ ...known, ...changes, tokens }, ...others].slice(0, MOST);
  localStorage.setItem(TABLES, JSON.stringify(kept));
}

export function forgetTable(id) {
  localStorage.setItem(TABLES, JSON.stringify(tables().filter((table) => table.id !== id)));
}

/** Returns where this browser waits for people: `{id, token}` of each. */
export const waits = () => read(WAITS, []);

/** Keeps where this browser waits, or forgets it with `token` null. */
export function keepWait(id, token) {
  const others = waits().filter((one) => one.id !== id);
  localStorage.setItem(WAITS, JSON.stringify(token === null ? others : [...others, { id, token }]));
}

/** Returns a setting of this browser. */
export const setting = (name, otherwise) => read(SETTINGS, {})[name] ?? otherwise;

export function keepSetting(name, value) {
  localStorage.setItem(SETTINGS, JSON.stringify({ ...read(SETTINGS, {}), [name]: value }));
}

const seatKey = (id) => `gonzaga.seat.${id}`;
const linkKey = (id) => `gonzaga.link.${id}`;

/** Returns the seat that this tab plays, null for a tab that watches. */
export function seatOf(id) {
  const seat = sessionStorage.getItem(seatKey(id)) ?? tableOf(id)?.mine ?? null;
  return seat === null ? null : Number(seat);
}

/** Lets this tab play a seat. */
export const sitAt = (id, seat) => sessionStorage.setItem(seatKey(id), String(seat));

/**
 * Returns the token of an invitation such as `/table/ID#seat=2&token=...`, null where there is none.
 * It leaves the address bar, and this tab keeps it until the server has checked it (`closeLink`).
 * What a mail or a chat has put behind it is cut off.
 */
export function takeLink(id) {
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.has("seat") || link.has("token")) {
    sessionStorage.setItem(linkKey(id), /^[\w-]*/.exec(link.get("token") ?? "")[0]);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(linkKey(id));
}

/** Forgets an invitation, and keeps its token if the server has accepted it for a seat. */
export function closeLink(id, seat = null) {
  if (seat !== null) {
    keepTable(id, { tokens: { [seat]: takeLink(id) }, mine: tableOf(id)?.mine ?? seat });
    sitAt(id, seat);
  }
  sessionStorage.removeItem(linkKey(id));
}

/** Returns the link by which someone else takes a seat. */
export const invitation = (id, seat, token) =>
  `${location.origin}/table/${id}#seat=${seat}&token=${token}`;

/** Returns the link by which people find a table that waits for them. */
export const waitingLink = (id) => `${location.origin}/#join=${id}`;

const KEY_BYTES = 24;

/** What a person's key for the ladder looks like. */
export const PLAYER_KEY = /^[\w-]{32}$/;

/** Returns the key under which the server keeps this browser's ratings; null if it has none. */
export const playerKey = () => localStorage.getItem(PLAYER);

/** Returns that key, and draws one if there is none. */
export function makePlayerKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const drawn = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
  const key = playerKey() ?? drawn;
  localStorage.setItem(PLAYER, key);
  return key;
}

/** Replaces that key by another browser's, or forgets it. */
export function setPlayerKey(key) {
  if (key === null) localStorage.removeItem(PLAYER);
  else localStorage.setItem(PLAYER, key);
}
