// A table: reads the position, and opens the page of its game.

import * as api from "../common/api.js";
import { byId, make } from "../common/dom.js";
import { tableOf, takeSeat } from "../common/storage.js";
import { GonzagaTable } from "../gonzaga/table.js";
import { PictureTable } from "../picture/table.js";

/** Opens the table of this address; most games are shown as blocks of drawings. */
async function open() {
  const id = location.pathname.split("/").at(-1);
  const seat = takeSeat(id);
  const table = new api.Table(id, tableOf(id)?.tokens[seat]);
  const answer = await table.read();
  const Page = answer.frames.at(-1).blocks ? PictureTable : GonzagaTable;
  document.body.dataset.game = answer.game;
  await new Page(id, seat, table).start(answer);
}

open().catch((error) => {
  byId("notice").hidden = false;
  byId("notice").textContent = error.message;
  document.body.classList.add("gone");
  byId("turn").replaceChildren(make("a", { href: "/" }, "Back to the lobby"));
});
