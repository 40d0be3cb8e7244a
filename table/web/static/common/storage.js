// What this browser keeps: its tables with their tokens, and settings.

const TABLES = "gonzaga.tables";
const SETTINGS = "gonzaga.settings";
const MOST = 50;

/** A storage of the browser; what it does not take is kept in memory. */
class Kept {
  constructor(name) {
    this.name = name;
    this.memory = new Map();
  }

  get(key) {
    if (this.memory.has(key)) return this.memory.get(key);
    try {
      return globalThis[this.name].getItem(key);
    } catch {
      return null;
    }
  }

  /** Keeps a text, and returns whether the browser has stored it. */
  set(key, text) {
    this.memory.delete(key);
    try {
      globalThis[this.name].setItem(key, text);
      return true;
    } catch {
      this.memory.set(key, text);
      return false;
    }
  }

  remove(key) {
    this.memory.delete(key);
    try {
      globalThis[this.name].removeItem(key);
    } catch {
      // it holds nothing
    }
  }
}

export const local = new Kept("localStorage");
const session = new Kept("sessionStorage");

const PROBE = ["gonzaga.probe", "x".repeat(4000)]; // about as long as a table

/** Returns whether this browser stores tables; else only this page knows them. */
export function stores() {
  const stored = local.set(PROBE[0], PROBE[1]);
  local.remove(PROBE[0]);
  return stored && !local.memory.has(TABLES);
}

const read = (key, otherwise) => {
  try {
    return JSON.parse(local.get(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
};

const isTexts = (values) => Array.isArray(values) && values.every((one) => typeof one === "string");

/** Whether something that was kept is a table; anything may stand in a browser's storage. */
const isTable = (one) =>
  typeof one?.id === "string" &&
  Array.isArray(one.invited) &&
  one.tokens instanceof Object &&
  (one.names === undefined || isTexts(one.names)) &&
  ["title", "stage", "game", "map"].every((name) => ["string", "undefined"].includes(typeof one[name]));

/** Returns this browser's tables, the one used last first. */
export const tables = () => [read(TABLES, [])].flat().filter(isTable);

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
  local.set(TABLES, JSON.stringify(kept));
}

export function forgetTable(id) {
  local.set(TABLES, JSON.stringify(tables().filter((table) => table.id !== id)));
}

/** Returns a setting of this browser. */
export const setting = (name, otherwise) => read(SETTINGS, {})[name] ?? otherwise;

export function keepSetting(name, value) {
  local.set(SETTINGS, JSON.stringify({ ...read(SETTINGS, {}), [name]: value }));
}

const seatKey = (id) => `gonzaga.seat.${id}`;
const linkKey = (id) => `gonzaga.link.${id}`;

/** Returns the seat that this tab plays, null for a tab that watches. */
export function seatOf(id) {
  const seat = session.get(seatKey(id)) ?? tableOf(id)?.mine ?? null;
  return seat === null ? null : Number(seat);
}

/** Lets this tab play a seat. */
export const sitAt = (id, seat) => session.set(seatKey(id), String(seat));

/**
 * Returns the token of an invitation such as `/table/ID#seat=2&token=...`, null where there is none.
 * It leaves the address bar of a browser that stores something, and this tab keeps it until the
 * server has checked it (`closeLink`).
 * What a mail or a chat has put behind it is cut off.
 */
export function takeLink(id) {
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.has("seat") || link.has("token")) {
    session.set(linkKey(id), /^[\w-]*/.exec(link.get("token") ?? "")[0]);
    if (stores()) history.replaceState(null, "", location.pathname);
  }
  return session.get(linkKey(id));
}

/** Forgets an invitation, and keeps its token if the server has accepted it for a seat. */
export function closeLink(id, seat = null) {
  if (seat !== null) {
    keepTable(id, { tokens: { [seat]: takeLink(id) }, mine: tableOf(id)?.mine ?? seat });
    sitAt(id, seat);
  }
  session.remove(linkKey(id));
}

/** Returns the link by which someone else takes a seat. */
export const invitation = (id, seat, token) =>
  `${location.origin}/table/${id}#seat=${seat}&token=${token}`;

/** Goes to a table; where nothing is stored, with the own seat in the address. */
export function goToTable(id) {
  const { tokens, mine } = tableOf(id) ?? {};
  const seat = seatOf(id) ?? mine;
  const own = !stores() && tokens?.[seat];
  location.assign(own ? invitation(id, seat, own) : `/table/${id}`);
}
