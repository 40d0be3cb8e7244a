// A table: brings the server's answers, the board, the panels and the turn together.

import * as api from "../common/api.js";
import { Board } from "../common/board.js";
import { announce, button, byId, make } from "../common/dom.js";
import { Log, spoken } from "../common/log.js";
import { playerPanels, playerStrip, sourcesKey } from "../common/panels.js";
import { keepSetting, keepTable, setting, tableOf, takeSeat } from "../common/storage.js";
import { lineWords, planWords, playerName, stageWords, tellApart } from "../common/words.js";
import { Coach } from "./coach.js";
import { follow } from "./connection.js";
import { showFinal } from "./final.js";
import { Hints } from "./hints.js";
import { showInvitations } from "./invitations.js";
import { Keys } from "./keys.js";
import { Placing } from "./placing.js";
import { Planning } from "./planning.js";
import { Playback, SPEEDS } from "./playback.js";
import { download, playAgain, stepThrough } from "./record.js";

class TablePage {
  constructor(id) {
    this.id = id;
    this.seat = takeSeat(id);
    this.table = new api.Table(id, tableOf(id)?.tokens[this.seat]);
    this.board = new Board(byId("board"));
    this.log = new Log(byId("log"));
    this.coach = new Coach(byId("coach"), () => this.guide());
    this.playback = new Playback({
      show: (frame) => this.show(frame),
      done: () => this.act(),
      speed: setting("speed", "normal"),
    });
    this.moves = -1;
    this.turn = null;
    this.choice = null;
    this.sending = false;
  }

  /** Reads the position and follows the game. */
  async start() {
    const [answer, options] = await Promise.all([this.table.read(), api.options()]);
    this.settings = { edition: answer.edition, seats: answer.seats };
    this.boardAddress = answer.board;
    await this.drawBoard();
    this.hints = new Hints({
      container: byId("hints"),
      agents: options.agents,
      board: this.board,
      ask: (agent) => this.table.hint(agent),
      choose: (action) => {
        this.choice?.chooseAction(action);
        byId("confirm")?.focus({ preventScroll: true });
      },
    });
    this.tools();
    showInvitations(byId("invitations"), this.id, this.seat, answer.over);
    const { view } = answer.frames.at(-1);
    tellApart(view);
    for (const { move, lines } of answer.log ?? []) {
      this.log.add(move, lines, view, this.board.data);
    }
    this.receive(answer);
    addEventListener("theme", () => this.redraw());
    follow({
      table: this.table,
      since: () => this.moves + 1,
      news: (news) => this.receive(news),
      lost: (error) => this.lost(error),
      found: () => this.found(),
      running: () => !this.over,
    });
  }

  async drawBoard() {
    this.board.setBoard(await api.board(this.boardAddress));
    byId("sources").replaceChildren(sourcesKey(this.board.data));
  }

  /** Draws all in the other theme. */
  async redraw() {
    const [, answer] = await Promise.all([this.drawBoard(), this.table.read()]);
    this.receive(answer);
    if (!this.playback.busy) this.show(answer.frames.at(-1));
    this.turnShown = null;
    this.act();
  }

  /** Takes an answer of the server: new frames are shown one by one, then it may be our turn. */
  receive(answer) {
    if (answer.moves < this.moves) return;
    const frames = answer.frames.filter((frame) => frame.move > this.moves);
    // The first page of what happened shows no more than its last frame; `follow` asks for the next.
    const { more } = answer;
    if (more && !frames.length) return;
    this.moves = more ? frames.at(-1).move : answer.moves;
    this.turn = more ? null : answer.turn;
    this.over = answer.over && !more;
    if (answer.problem) this.notice(answer.problem);
    for (const frame of frames) frame.own = frame.lines[0]?.seat === this.seat;
    if (frames.length) this.playback.add(frames);
    else if (!this.playback.busy) this.act();
  }

  /** Shows one position. */
  show(frame) {
    const { view, lines } = frame;
    tellApart(view);
    this.view = view;
    document.body.dataset.move = frame.move;
    this.board.setPieces(frame.pieces);
    this.banner(view);
    this.board.setNote(view);
    byId("players").replaceChildren(...playerPanels(view, this.board.data, this.seat));
    byId("strip").replaceChildren(...playerStrip(view, this.board.data));
    this.log.add(frame.move, lines, view, this.board.data);
    this.markMove(view, lines);
    if (lines.length) announce(spoken(lines, view));
    if (!frame.own || lines.length > 1) this.happened(frame);
  }

  markMove(view, lines) {
    const moved = lines[0]?.seat !== null && view.last?.seat === lines[0]?.seat && view.last;
    const placed = moved && !/plan/.test(lines[0].text);
    const cells = placed ? view.last.cells : [];
    this.board.show("moved", ...cells.map((cell) => this.board.polygon(cell, { class: "moved" })));
  }

  banner(view) {
    byId("stage").textContent = stageWords(view);
    byId("last-round").hidden = !view.last_round || view.stage === "over";
    byId("scenario").textContent = view.scenario;
    byId("scenario").title = `Flourishing: ${view.flourishing.join(", ")}`;
    const sites = byId("open-sites");
    sites.textContent = `${view.open_sites} flourishing sites open`;
    sites.title = "At 3 or fewer after round 6, one round is left";
    document.title = `${stageWords(view)} · Gonzaga`;
  }

  /** Says what just happened, with a way to skip the rest. */
  happened({ lines, view }) {
    if (!lines.length || !this.playback.busy) return;
    this.close();
    const said = lines.map((line) =>
      make(
        "p",
        {},
        line.seat === null ? null : make("b", {}, playerName(view.players[line.seat])),
        ` ${lineWords(line.text)}`,
      ),
    );
    const skip = button("Skip", () => this.playback.skip(), { id: "skip", title: "Skip (s)" });
    byId("turn").replaceChildren(make("div", { class: "happened" }, ...said), skip);
  }

  /** Opens what is to be done now, once all moves have been shown. */
  act() {
    if (this.sending) return;
    if (this.turn && this.turnShown === this.moves) return this.guide();
    this.close();
    this.turnShown = this.moves;
    const { view } = this;
    if (view.stage === "over") this.finish();
    else if (this.turn) this.open();
    else this.waitFor(view);
    return this.guide();
  }

  open() {
    const { turn, view, seat, board } = this;
    const color = board.data.colors.players[seat];
    const play = (action) => this.play(action);
    this.choice =
      turn.stage === "planning"
        ? new Planning({ plans: turn.plans, view, seat, board, play })
        : new Placing({ turn, view, seat, board, color, play });
    this.choice.open(byId("turn"));
    this.hints.offer(turn);
    if (document.activeElement === document.body) byId("turn").focus({ preventScroll: true });
    byId("turn").classList.add("yours");
    byId("turn").dataset.move = this.moves;
    const words = turn.stage === "planning" ? "Your turn to plan." : "Your turn to place.";
    announce(`${words} Round ${view.round}${view.last_round ? ", the last" : ""}.`);
    document.title = `Your turn · Gonzaga`;
  }

  close() {
    if (this.choice) {
      this.choice.close();
      byId("turn").replaceChildren();
    }
    this.choice = null;
    this.turnShown = null;
    this.hints.clear();
    byId("turn").classList.remove("yours");
  }

  waitFor(view) {
    const player = view.players[view.to_act];
    const does = view.stage === "planning" ? "plans" : "places a fief";
    const own = this.seat === null ? null : view.players[this.seat].plan;
    byId("turn").replaceChildren(
      make("p", { class: "waits" }, make("b", {}, playerName(player)), ` ${does} …`),
      own && view.stage === "planning" ? make("p", {}, `Your plan: ${planWords(own)}`) : "",
    );
  }

  guide() {
    const { view, turn, seat, choice } = this;
    if (!view) return;
    byId("coach-switch").setAttribute("aria-pressed", String(this.coach.on));
    const wedding = choice instanceof Placing && choice.wedding.possible;
    this.coach.say({ view, turn: choice && turn, seat, wedding });
  }

  /** Sends a move; what was chosen stays if it does not arrive. */
  async play(action) {
    if (this.sending) return;
    this.sending = true;
    byId("confirm")?.setAttribute("aria-busy", "true");
    const answer = await this.table.play(this.moves, action).catch((error) => error);
    this.sending = false;
    byId("confirm")?.removeAttribute("aria-busy");
    if (answer instanceof Error) {
      // What was chosen stays, so that it can be played again.
      byId("choice").textContent = `Your move was not played. ${answer.message}`;
      announce(byId("choice").textContent);
      return;
    }
    this.notice("");
    this.close();
    this.receive(answer);
    // The news may have come before this answer, while nothing could be opened.
    if (!this.playback.busy) this.act();
  }

  finish() {
    const slowly = !this.finished && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.finished = true;
    keepTable(this.id, { over: true });
    showFinal(byId("turn"), this.view, this.board.data, this.endButtons(), slowly);
  }

  endButtons() {
    const tell = (act) => () => act(this).catch((error) => this.notice(error.message));
    return [
      button("Play again", tell(playAgain), { class: "primary", id: "again" }),
      button("Step through the game", tell(stepThrough), { id: "step-through" }),
      button("Download the record", tell(download), { id: "download" }),
    ];
  }

  // Notices, tools and invitations.

  notice(text) {
    byId("notice").hidden = !text;
    byId("notice").textContent = text;
  }

  lost(error) {
    const gone = ["forbidden", "not_found"].includes(error.code);
    const what = error.code === "too_many" ? "The server is busy" : "Connection lost";
    this.notice(gone ? error.message : `${what}. Trying again … (${error.message})`);
    byId("notice").dataset.lost = "true";
  }

  found() {
    this.notice("");
    delete byId("notice").dataset.lost;
  }

  tools() {
    byId("coach-switch").addEventListener("click", () => this.coach.set(!this.coach.on));
    const speed = byId("speed");
    speed.append(
      ...Object.keys(SPEEDS).map((name) =>
        make("option", { selected: name === this.playback.speed }, name),
      ),
    );
    speed.addEventListener("change", () => {
      this.playback.speed = speed.value;
      keepSetting("speed", speed.value);
    });
    byId("zoom-in").addEventListener("click", () => this.board.setZoom(this.board.zoom * 1.5));
    byId("zoom-out").addEventListener("click", () => this.board.setZoom(this.board.zoom / 1.5));
    this.keys = new Keys(this);
    if (!matchMedia("(max-width: 56rem)").matches) return;
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const boxes = document.querySelectorAll(".side details");
    for (const box of boxes) box.open = false;
  }
}

const page = new TablePage(location.pathname.split("/").at(-1));
page.start().catch((error) => {
  page.notice(error.message);
  document.body.classList.add("gone");
  byId("turn").replaceChildren(make("a", { href: "/" }, "Back to the lobby"));
});
