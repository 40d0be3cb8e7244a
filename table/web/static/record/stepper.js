// One recorded game: board, panels, log and curves at a move, and ways to go to another.

import * as api from "../common/api.js";
import { Board } from "../common/board.js";
import { scoreCurves } from "../common/curves.js";
import { announce, byId } from "../common/dom.js";
import { Log, spoken } from "../common/log.js";
import { playerPanels, playerStrip, sourcesKey } from "../common/panels.js";
import { stageWords, tellApart } from "../common/words.js";
import { showFinal } from "../table/final.js";

const TIME = 900; // milliseconds for each move while it plays

/** Steps through one game at a time. */
export class Stepper {
  constructor() {
    this.board = new Board(byId("board"));
    this.log = new Log(byId("log"));
    this.timer = null;
    this.game = null;
    const go = (id, place) => byId(id).addEventListener("click", () => this.go(place()));
    go("first", () => 0);
    go("previous", () => this.at - 1);
    go("next", () => this.at + 1);
    go("last", () => this.game.frames.length - 1);
    byId("step").addEventListener("input", () => this.go(Number(byId("step").value)));
    byId("autoplay").addEventListener("click", () => this.toggle());
    document.addEventListener("keydown", (event) => this.onKey(event), true);
    addEventListener("theme", () => this.game && this.drawBoard());
  }

  /** Opens a game as `/api/records` describes it. */
  async open(game, title) {
    for (const { view } of game.frames) tellApart(view);
    this.game = game;
    await this.drawBoard();
    byId("title").textContent = title;
    byId("step").max = game.frames.length - 1;
    this.go(0);
  }

  async drawBoard() {
    this.board.setBoard(await api.board(this.game.board));
    byId("sources").replaceChildren(sourcesKey(this.board.data));
    if (this.at !== undefined) this.go(this.at);
  }

  /** Shows the position after a number of moves. */
  go(at) {
    const { frames } = this.game;
    this.at = Math.min(frames.length - 1, Math.max(0, at));
    const { view, lines, pieces } = frames[this.at];
    this.board.setPieces(pieces);
    this.board.setNote(view);
    byId("stage").textContent = stageWords(view);
    byId("step").value = this.at;
    byId("players").replaceChildren(...playerPanels(view, this.board.data, null));
    byId("strip").replaceChildren(...playerStrip(view, this.board.data));
    byId("curves").replaceChildren(scoreCurves(frames, this.board.data, this.at));
    const words = lines.length ? spoken(lines.slice(0, 1), view) : "The deal";
    byId("said").textContent = `Move ${this.at} of ${frames.length - 1}: ${words}`;
    announce(spoken(lines, view));
    this.fillLog();
    byId("final").hidden = view.stage !== "over";
    if (view.stage === "over") showFinal(byId("final"), view, this.board.data, [], false);
    if (this.at === frames.length - 1) this.pause();
  }

  fillLog() {
    this.log.clear();
    for (const { move, lines, view } of this.game.frames.slice(0, this.at + 1)) {
      this.log.add(move, lines, view, this.board.data);
    }
  }

  toggle() {
    if (this.timer) {
      this.pause();
      return;
    }
    if (this.at === this.game.frames.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), TIME);
    byId("autoplay").textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    byId("autoplay").textContent = "Play";
  }

  onKey(event) {
    if (!this.game || byId("game").hidden || event.altKey || event.ctrlKey || event.metaKey) return;
    const act = {
      ArrowRight: () => this.go(this.at + 1),
      ArrowLeft: () => this.go(this.at - 1),
      Home: () => this.go(0),
      End: () => this.go(this.game.frames.length - 1),
      " ": () => this.toggle(),
    }[event.key];
    if (!act || (event.key === " " && event.target.matches("button, summary"))) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}
