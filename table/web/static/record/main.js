// Records: open a file, choose a game, step through it.

import { button, byId, make } from "../common/dom.js";
import { openGame, readGames } from "./files.js";
import { Stepper } from "./stepper.js";

const KEPT = "gonzaga.record"; // a record that the table's page passes on

class RecordPage {
  constructor() {
    this.stepper = new Stepper();
    byId("file").addEventListener("change", () => this.openFile(byId("file").files[0]));
    byId("another").addEventListener("click", () => this.back());
    const drop = byId("open");
    drop.addEventListener("dragover", (event) => event.preventDefault());
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      this.openFile(event.dataTransfer.files[0]);
    });
  }

  async start() {
    const text = sessionStorage.getItem(KEPT);
    if (!text) return;
    sessionStorage.removeItem(KEPT);
    await this.openText(text);
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
      if (!games.length) notice("The file holds no games: it has one JSON object per line.");
      if (games.length === 1 && !games[0].error) await this.openLine(games[0]);
    } catch (error) {
      notice(error.message);
    }
  }

  row(game) {
    const line = make("small", {}, `line ${game.line}`);
    if (game.error) return make("li", { class: "bad" }, line, ` ${game.error}`);
    return make("li", {}, button(game.title, () => this.openLine(game)), line);
  }

  async openLine(game) {
    try {
      await this.stepper.open(await openGame(game), game.title);
      byId("open").hidden = true;
      byId("game").hidden = false;
      byId("next").focus();
    } catch (error) {
      notice(error.message);
    }
  }

  back() {
    this.stepper.pause();
    byId("open").hidden = false;
    byId("game").hidden = true;
    byId("title").textContent = "";
    byId("stage").textContent = "A record";
  }
}

function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}

new RecordPage().start();
