// The games of this browser: what is played, by whom, how far it is, and what can be done with it.

import { Table } from "./api.js";
import { button, make } from "./dom.js";
import { forgetTable, keepTable, tables } from "./storage.js";
import { playerName } from "./words.js";
import { fill, language, listed, words } from "../words/index.js";

const said = words.lobby;
const ASKED = 8; // tables about which the server is asked, the last used ones
const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 }; // in milliseconds

/** Lists this browser's games, all or those that last, in a box that is hidden when there are none. */
export function showTables(box, list, { finished }) {
  const kept = tables().filter(({ over }) => finished || !over);
  box.hidden = !kept.length;
  const rows = kept.map((table) => row(table, () => showTables(box, list, { finished })));
  list.replaceChildren(...rows);
  const open = kept.map((table, i) => ({ ...table, turn: rows[i].querySelector(".whose") }));
  for (const table of open.filter(({ over }) => !over).slice(0, ASKED)) tellTurn(table);
}

/** Returns links to what can be done with a game. */
function links({ id, over, resigned }) {
  const to = (href, text) => make("a", { href }, text);
  const name = encodeURIComponent(id);
  if (!over || resigned) return [to(`/table/${name}`, said.resume)];
  return [
    to(`/game/${name}#move=0`, said.replay),
    to(`/game/${name}`, said.analysis),
    to(`/api/games/${name}/record`, said.download),
  ];
}

function row(table, again) {
  const { id, title, settings, over, resigned, game, map, newMap, names, stage, played } = table;
  const forget = () => {
    forgetTable(id);
    again();
  };
  const who = names ? listed(names) : title || fill(said.table, id);
  const usual = map === "reconstruction" ? "" : (map ?? settings?.scenario);
  const where = [game, newMap ? fill(said.mapNamed, newMap) : usual].filter(Boolean).join(", ");
  const how = [resigned ?? (over ? said.over : stage), played && ago(played)];
  return make(
    "li",
    {},
    make(
      "span",
      {},
      make("b", {}, where || who),
      where ? ` · ${who}` : "",
      make("small", {}, how.filter(Boolean).join(" · "), " ", make("span", { class: "whose" })),
    ),
    ...links(table),
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
