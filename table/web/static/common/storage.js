// What this browser keeps: its tables with their tokens, and settings.

const TABLES = "gonzaga.tables";
const SETTINGS = "gonzaga.settings";
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

/** Returns one table: `{id, title, settings, tokens: {seat: token}, mine, invited, over}`. */
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

/** Returns a setting of this browser. */
export const setting = (name, otherwise) => read(SETTINGS, {})[name] ?? otherwise;

export function keepSetting(name, value) {
  localStorage.setItem(SETTINGS, JSON.stringify({ ...read(SETTINGS, {}), [name]: value }));
}

/**
 * Returns the seat that this tab plays, null for a tab that watches, and keeps the token of a link
 * such as `/table/ID#seat=2&token=...`. The token then leaves the address bar.
 */
export function takeSeat(id) {
  const link = new URLSearchParams(location.hash.slice(1));
  const tab = `gonzaga.seat.${id}`;
  if (link.has("seat") && link.has("token")) {
    const seat = Number(link.get("seat"));
    const mine = tableOf(id)?.mine ?? seat;
    keepTable(id, { tokens: { [seat]: link.get("token") }, mine });
    sessionStorage.setItem(tab, String(seat));
    history.replaceState(null, "", location.pathname);
  }
  const seat = sessionStorage.getItem(tab) ?? tableOf(id)?.mine ?? null;
  return seat === null ? null : Number(seat);
}

/** Returns the link by which someone else takes a seat. */
export const invitation = (id, seat, token) =>
  `${location.origin}/table/${id}#seat=${seat}&token=${token}`;
