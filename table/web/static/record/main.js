// Records: open a file, choose a game, and show the page that `show --html` writes of it.

import { button, byId, make } from "../common/dom.js";
import { openGame, readGames } from "./files.js";

const KEPT = "gonzaga.record"; // a record that the table's page passes on

class RecordPage {
  constructor() {
    byId("file").addEventListener("change", () => this.openFile(byId("file").files[0]));
    byId("another").addEventListener("click", () => showGame(false));
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
      const { theme } = document.documentElement.dataset;
      const html = await openGame(game);
      const srcdoc = html.replace("<html", `<html data-theme="${theme}"`);
      const frame = make("iframe", { title: "The game", sandbox: "allow-scripts", srcdoc });
      frame.addEventListener("load", () => frame.focus()); // its keys
      showGame(true);
      byId("game").replaceChildren(frame);
    } catch (error) {
      notice(error.message);
    }
  }
}

function showGame(shown) {
  byId("open").hidden = shown;
  byId("game").hidden = byId("another").hidden = !shown;
}

function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}

new RecordPage().start();
