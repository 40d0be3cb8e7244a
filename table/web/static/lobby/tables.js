// The tables that this browser has sat at: the game, who plays, how far it is, and whose turn it is.

import { Table } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { forgetTable, keepTable, tables } from "../common/storage.js";
import { playerName } from "../common/words.js";
import { fill, language, listed, words } from "../words/index.js";

const said = words.lobby;
const ASKED = 8; // tables about which the server is asked, the last used ones
const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 }; // in milliseconds

/** Lists this browser's tables in a box, which is hidden when there are none. */
export function showTables(box, list) {
  const kept = tables();
  box.hidden = !kept.length;
  const rows = kept.map((table) => row(table, () => showTables(box, list)));
  list.replaceChildren(...rows);
  const open = kept.map((table, i) => ({ ...table, turn: rows[i].querySelector(".whose") }));
  for (const table of open.filter(({ over }) => !over).slice(0, ASKED)) tellTurn(table);
}

function row(table, again) {
  const { id, title, settings, over, game, map, newMap, names, stage, played } = table;
  const forget = () => {
    forgetTable(id);
    again();
  };
  const who = names ? listed(names) : title || fill(said.table, id);
  const usual = map === "reconstruction" ? "" : (map ?? settings?.scenario);
  const where = [game, newMap ? fill(said.mapNamed, newMap) : usual].filter(Boolean).join(", ");
  const how = [over ? said.over : stage, played && ago(played)];
  return make(
    "li",
    {},
    make("a", { href: `/table/${encodeURIComponent(id)}` }, over ? said.look : said.resume),
    make(
      "span",
      {},
      make("b", {}, where || who),
      where ? ` · ${who}` : "",
      make("small", {}, how.filter(Boolean).join(" · "), " ", make("span", { class: "whose" })),
    ),
    button(said.forget, forget, { class: "small", "aria-label": fill(said.forgetTable, who) }),
  );
}

/** Says whose turn it is now, as the server knows it. */
async function tellTurn({ id, tokens, mine, turn }) {
  const head = await new Table(id, tokens[mine]).heading().catch(() => null);
  if (!head) return;
  if (head.over) keepTable(id, { over: true });
  const names = head.deciding.map((seat) => playerName(head.seats[seat]));
  const own = head.deciding.includes(head.seat);
  turn.textContent = head.over ? said.over : own ? words.table.yourTurn : fill(said.waitsFor, listed(names));
  turn.classList.toggle("yours", own);
}

/** Returns how long ago something was, such as "2 hours ago". */
function ago(time) {
  const past = Date.now() - time;
  const [unit, length] = Object.entries(UNITS).find(([, length]) => past >= length) ?? ["minute", UNITS.minute];
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  return format.format(-Math.floor(past / length), /** @type {any} */ (unit));
}
