// My games: those of this browser, and of a file; a game of a file gets an address of its own.

import * as api from "../common/api.js";
import { button, byId, make } from "../common/dom.js";
import { showTables } from "../common/tables.js";
import { fill, words } from "../words/index.js";
import { readGames } from "./files.js";

const said = words.analysis.file;

class RecordPage {
  constructor() {
    byId("file").addEventListener("change", () => this.openFile(byId("file").files[0]));
    const drop = byId("open");
    drop.addEventListener("dragover", (event) => event.preventDefault());
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      this.openFile(event.dataTransfer.files[0]);
    });
  }

  async openFile(file) {
    if (file) await this.openText(await file.text());
  }

  /** Lists the games of a file; the only game of a file is opened immediately. */
  async openText(text) {
    notice("");
    byId("games").replaceChildren();
    try {
      const games = [];
      for await (const found of readGames(text)) {
        games.push(...found);
        byId("games").append(...found.map((game) => this.row(game)));
      }
      if (!games.length) notice(said.empty);
      if (games.length === 1 && !games[0].error) await this.openGame(games[0]);
    } catch (error) {
      notice(error.message);
    }
  }

  row(game) {
    const line = make("small", {}, fill(said.line, game.line));
    if (game.error) return make("li", { class: "bad" }, line, ` ${game.error}`);
    return make("li", {}, button(game.title, () => this.openGame(game)), line);
  }

  /** Lets the server verify and keep a game, and goes to its page. */
  async openGame(game) {
    notice(said.checking);
    try {
      const { id } = await api.addGame(game.text);
      location.assign(`/game/${id}`);
    } catch (error) {
      notice(error.message);
    }
  }
}

function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}

showTables(byId("tables"), byId("tables"), { finished: true });
byId("none").hidden = !byId("tables").hidden;
new RecordPage();
