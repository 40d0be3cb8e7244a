// A table: takes the seat, reads the position, and opens the page of its game.

import * as api from "../common/api.js";
import { button, byId, make } from "../common/dom.js";
import { closeLink, seatOf, tableOf, takeLink } from "../common/storage.js";
import { GonzagaTable } from "../gonzaga/table.js";
import { withLessons } from "../learn/lessons.js";
import { asPuzzle } from "../learn/puzzle.js";
import { PictureTable } from "../picture/table.js";
import { fill, words } from "../words/index.js";

const id = location.pathname.split("/").at(-1);

/** Opens the table of this address; most games are shown as blocks of drawings. */
async function open() {
  const { table, answer, fault } = await sit();
  const Page = answer.lessons ? withLessons(pageOf(answer)) : pageOf(answer);
  const page = new Page(id, answer.seat, table);
  await page.start(answer);
  if (fault) page.notice(fault);
}

/** Opens the puzzle of this address. */
async function openPuzzle() {
  const table = new api.Puzzle(id);
  const answer = await table.read();
  const Page = asPuzzle(pageOf(answer));
  await new Page(id, answer.seat, table).start(answer);
}

/** Returns the page of a game. */
function pageOf(answer) {
  document.body.dataset.game = answer.game;
  return answer.frames.at(-1).blocks ? PictureTable : GonzagaTable;
}

/** Reads the table by the invitation, else by the token that this browser has, else as the public. */
async function sit() {
  const link = takeLink(id);
  const invited = link && (await read(link));
  if (link !== null) closeLink(id, invited?.answer.seat);
  if (invited) return invited;
  const kept = tableOf(id)?.tokens[seatOf(id)];
  const own = kept && (await read(kept));
  const found = own || (await read());
  const fault = link === null ? kept && !own && words.common.lostSeat : brokenLink(own?.answer.seat);
  return { ...found, fault };
}

const brokenLink = (seat) =>
  seat === undefined ? words.common.brokenLink : fill(words.common.brokenLinkSeated, seat + 1);

/** Reads the table in the name of a token; null if the server refuses the token. */
async function read(token) {
  const table = new api.Table(id, token);
  try {
    return { table, answer: await table.read() };
  } catch (error) {
    if (token && error.code === "forbidden") return null;
    throw error;
  }
}

addEventListener("hashchange", () => {
  if (takeLink(id) !== null) location.reload(); // an invitation was pasted into this tab
});

const isPuzzle = location.pathname.startsWith("/puzzle/");

(isPuzzle ? openPuzzle() : open()).catch((error) => {
  byId("notice").hidden = false;
  byId("notice").textContent = error.code === "not_found" && !isPuzzle ? words.common.noTable : error.message;
  document.body.classList.add("gone");
  byId("turn").replaceChildren(
    make("p", { class: "buttons" },
      button(words.common.tryAgain, () => location.reload()),
      make("a", { href: "/" }, words.common.toLobby)),
  );
});
