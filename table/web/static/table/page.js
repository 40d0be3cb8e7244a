// What all tables have: the server's answers, the log, the turn, hints, and the end of a game.

import * as api from "../common/api.js";
import { announce, button, byId, make, still } from "../common/dom.js";
import { lineWords } from "../common/events.js";
import { Log, spoken } from "../common/log.js";
import { keepSetting, keepTable, setting } from "../common/storage.js";
import { sinceBox, sinceOwnMove } from "../common/since.js";
import { withRules } from "../common/rules.js";
import { playerName, total } from "../common/words.js";
import { fill, listed, plural, words } from "../words/index.js";
import { Company } from "./company.js";
import { follow, pause } from "./connection.js";
import { showFinal } from "./final.js";
import { Hints } from "./hints.js";
import { hideUsed, showInvitations } from "./invitations.js";
import { Keys } from "./keys.js";
import { Playback, SPEEDS } from "./playback.js";
import { makeTabs } from "./tabs.js";
import { newGame, playAgain } from "./record.js";
import { ring, soundSwitch } from "./sound.js";

const RETRY = 2000; // milliseconds until a move that did not arrive is sent again

/**
 * The page of a table. A game's page derives from it and has:
 *
 * - `setLook()`, after `look` was read: what stays the same of a board
 * - `draw(frame)`: shows a position, whose `view` has `players`, `to_act` and `last`
 * - `choices()`: the choice of this turn, with `open(panel)`, `chooseAction(action)`,
 *   `onKey(key, onBoard)` and `close()`
 * - `words(view)`: `{stage, turn, waits}`, what the page and screen readers say
 * - and perhaps `guide()`, `waiting()` and `markHints(turn, choices)`
 */
export class TablePage {
  constructor(id, seat, table) {
    this.id = id;
    this.seat = seat;
    this.table = table;
    this.log = new Log(byId("log"));
    this.playback = new Playback({
      show: (frame) => this.show(frame),
      done: () => this.act(),
      speed: setting("speed", "normal"),
    });
    this.moves = -1;
    this.revision = -1;
    this.turn = null;
    this.turnNumber = 0; // of the turns that the server has sent
    this.choice = null;
    this.sending = false;
    this.deciding = [];
    this.next = null;
    /** @type {import("../common/strip.js").Seats} */
    this.seating = {};
  }

  /** Shows a first answer and follows the game. */
  async start(answer) {
    const options = await api.options();
    this.settings = { edition: answer.edition, seats: answer.seats };
    this.game = options.games.find(({ name }) => name === answer.game);
    this.lookAddress = answer.board;
    await this.readLook();
    this.hints = new Hints({
      container: byId("hints"),
      agents: this.game.agents,
      ask: (agent) => this.table.hint(agent),
      mark: (turn, choices) => this.markHints(turn, choices),
      choose: (action) => {
        this.choice?.chooseAction(action);
        byId("confirm")?.focus({ preventScroll: true });
      },
      picture: (turn, action) => this.hintPicture(turn, action),
      view: () => this.view,
    });
    this.tools();
    showInvitations(byId("invitations"), this.id, this.seat, answer.over);
    this.company = new Company(this);
    this.company.greet(answer);
    this.receive(answer);
    addEventListener("theme", () => this.redraw());
    this.reconnect = follow({
      table: this.table,
      seen: () => ({ moves: this.moves, revision: this.revision }),
      news: (news) => this.receive(news),
      lost: (error) => this.lost(error),
      found: () => this.found(),
    });
  }

  async readLook() {
    this.look = await api.board(this.lookAddress);
    this.setLook();
  }

  /** Draws all in the other theme. */
  async redraw() {
    const [, answer] = await Promise.all([this.readLook(), this.table.read()]);
    this.reconnect();
    this.playback.skip();
    this.receive(answer);
    if (!this.playback.busy) this.show(answer.frames.at(-1));
    this.shown = null;
    this.act();
  }

  /** Takes an answer of the server: new frames are shown one by one, then it may be our turn. */
  receive(answer) {
    if (answer.revision < this.revision) return;
    if (answer.revision > this.revision && !this.begin(answer)) return;
    if (answer.moves < this.moves) return;
    const frames = answer.frames.filter((frame) => frame.move > this.moves);
    // The first page of what happened shows no more than its last frame; the next one follows.
    const { more } = answer;
    if (more && !frames.length) return;
    this.moves = more ? frames.at(-1).move : answer.moves;
    if (more) this.turn = null;
    else if (answer.turn !== undefined) this.takeTurn(answer.turn);
    this.over = answer.over && !more;
    this.head(answer);
    for (const frame of frames) frame.own = frame.lines[0]?.seat === this.seat;
    if (frames.length) this.playback.add(frames);
    else if (!this.playback.busy) this.act();
  }

  /** Begins anew, as names or the history have changed; false if the answer lacks the log. */
  begin(answer) {
    if (!answer.log) {
      this.table.read().then((whole) => this.receive(whole), () => {});
      return false;
    }
    this.playback.clear();
    this.close();
    this.log.clear();
    this.revision = answer.revision;
    this.moves = -1;
    this.settings.seats = answer.seats;
    const { view } = answer.frames.at(-1);
    for (const { move, lines } of answer.log) this.log.add(move, lines, view, this.look);
    return true;
  }

  /** Takes the own turn; the same one that comes again, such as after a lost answer, stays open. */
  takeTurn(turn) {
    if (JSON.stringify(turn) === JSON.stringify(this.turn)) return;
    this.turn = turn;
    this.turnNumber += 1;
  }

  /** Takes what is known beside the position: who decides, who is there, and what is asked. */
  head(answer) {
    this.deciding = answer.deciding;
    this.pending = answer.pending;
    this.next = answer.next;
    this.seating = { sealed: answer.sealed, present: answer.present.seats };
    this.company.show(answer);
    hideUsed(byId("invitations"), answer.present.seats);
    if (this.view) this.drawStrip(this.view);
  }

  /** Shows one position. */
  show(frame) {
    const { view, lines } = frame;
    this.view = view;
    document.body.dataset.move = frame.move;
    this.draw(frame);
    this.hints.moved();
    byId("stage").textContent = this.words(view).stage;
    this.retitle();
    this.log.add(frame.move, lines, view, this.look);
    if (lines.length) announce(spoken(lines, view));
    if (!frame.own || lines.length > 1) this.happened(frame);
  }

  /** Says what just happened, with a way to skip the rest. */
  happened({ lines, view }) {
    if (!lines.length || !this.playback.busy || this.stays()) return;
    this.close();
    const said = lines.map((line) =>
      make(
        "p",
        {},
        line.seat === null ? null : make("b", {}, playerName(view.players[line.seat])),
        ` ${lineWords(line, view)}`,
      ),
    );
    const skip = button(words.table.skip, () => this.playback.skip(), {
      id: "skip",
      title: words.table.skipTitle,
    });
    byId("turn").replaceChildren(make("div", { class: "happened" }, ...said), skip);
  }

  /** Whether what is open stays so while others decide at the same time. */
  stays() {
    return this.choice !== null && this.turn !== null && this.shown === `turn ${this.turnNumber}`;
  }

  /** The name of a generated map, such as "grow-17". */
  get newMap() {
    return /^generated:(.*)/.exec(this.settings.edition)?.[1];
  }

  /** Keeps what the lobby says of this table, in this browser. */
  remember() {
    const { view, moves, seat } = this;
    if (seat === null || this.remembered === moves) return;
    this.remembered = moves;
    const names = view.players.map((one) => (this.over ? `${playerName(one)} ${total(one)}` : playerName(one)));
    const told = { game: this.game.title, map: view.scenario ?? view.edition, newMap: this.newMap, names };
    keepTable(this.id, { ...told, stage: this.words(view).stage, moves, played: Date.now() });
  }

  /** Opens what is to be done now, once all moves have been shown. */
  act() {
    if (this.sending || this.resigned) return;
    const { deciding, seating, next } = this;
    const shown = this.turn
      ? `turn ${this.turnNumber}`
      : JSON.stringify([this.moves, this.revision, deciding, seating.sealed, next]);
    if (this.shown === shown) {
      this.guide();
      return;
    }
    this.close();
    this.shown = shown;
    if (this.view.to_act === null) this.finish();
    else if (this.turn) this.open();
    else this.waitFor();
    this.guide();
    this.retitle();
    this.remember();
  }

  open() {
    this.choice = this.choices();
    this.choice.open(byId("turn"));
    this.tellSince();
    this.offerHints();
    if (document.activeElement === document.body) byId("turn").focus({ preventScroll: true });
    byId("turn").classList.add("yours");
    byId("turn").dataset.move = this.moves;
    announce(this.words(this.view).turn);
    ring();
  }

  /** Says in the tab's title whose turn it is. */
  retitle() {
    const what = this.choice ? words.table.yourTurn : this.words(this.view).stage;
    document.title = `${what} · ${this.game.title}`;
  }

  offerHints() {
    if (this.turn) this.hints.offer(this.turn);
  }

  /** Offers what has happened since the own last move, below the heading. */
  tellSince() {
    const found = sinceOwnMove(this.log.moves, this.seat);
    if (!found) return;
    const mark = (cells) => this.markCells(cells);
    byId("turn").querySelector("h2").after(sinceBox(found, this.view, this.look, mark));
  }

  close() {
    if (this.choice) {
      this.choice.close();
      byId("turn").replaceChildren();
    }
    this.choice = null;
    this.shown = null;
    this.hints.clear();
    byId("turn").classList.remove("yours");
  }

  /** Says who decides; to somebody whose own decision is sealed, that it is. */
  waitFor() {
    const names = this.deciding.map((seat) => playerName(this.view.players[seat]));
    const said = this.seating.sealed.includes(this.seat)
      ? fill(plural(names.length, words.table.sealed), listed(names))
      : names.length > 1
        ? fill(words.table.planTogether, listed(names))
        : [make("b", {}, names[0]), ` ${this.words(this.view).waits} …`];
    const parts = [make("p", { class: "waits" }, said), this.waiting(), this.company.takeBack()];
    byId("turn").replaceChildren(...parts.filter(Boolean));
  }

  /** Returns what a player who waits is reminded of. */
  waiting() {
    return "";
  }

  /** Returns whose seats are which, for the strip of players. */
  seats() {
    const people = this.settings.seats.filter(({ kind }) => kind === "human").map(({ seat }) => seat);
    return { own: this.seat, people, ...this.seating };
  }

  // What games' pages have.

  setLook() {}

  /** @type {(key: string) => boolean} */
  onKey() {
    return false;
  }

  guide() {}

  /** @type {(view?: any) => void} */
  drawStrip() {}

  /** @type {(frame: any) => void} */
  draw() {}

  /** @type {(view: any) => {stage: string, turn: string, waits: string}} */
  words() {
    throw new Error("a game's page says it");
  }

  /** @type {() => any} */
  choices() {
    throw new Error("a game's page asks");
  }

  /** @type {(turn: any, choices: any[]) => void} */
  markHints() {}

  /** @type {(turn: any, action: number) => any} */
  hintPicture() {}

  /** @type {(cells: number[][]) => void} */
  markCells() {}

  /** Sends a move; what was chosen stays if it does not arrive. */
  async play(action) {
    if (this.sending) return;
    this.sending = true;
    const { moves } = this;
    byId("confirm")?.setAttribute("aria-busy", "true");
    const send = () => this.table.play(moves, action).catch((error) => error);
    let answer = await send();
    if (answer.code === "offline") {
      this.notice(words.table.sentAgain);
      await pause(RETRY);
      answer = await send();
    }
    this.sending = false;
    byId("confirm")?.removeAttribute("aria-busy");
    if (answer instanceof Error) {
      const failed = fill(words.table.notPlayed, answer.message);
      announce(failed);
      if (this.moves === moves) {
        byId("choice").replaceChildren(...withRules(failed)); // what was chosen can be played again
      } else {
        this.notice(failed); // another tab has moved
        if (!this.playback.busy) this.act();
      }
      return;
    }
    this.notice("");
    this.close();
    this.receive(answer);
    // The news may have come before this answer, while nothing could be opened.
    if (!this.playback.busy) this.act();
  }

  finish() {
    const slowly = !this.finished && !still();
    this.finished = true;
    keepTable(this.id, { over: true, resigned: null });
    showFinal(byId("turn"), this.view, this.look, this.endButtons(), slowly, this.seat);
  }

  endButtons() {
    const tell = (act) => () => act(this).catch((error) => this.notice(error.message));
    const again = this.next ? words.table.toRematch : words.table.rematch;
    return [
      button(again, tell(playAgain), { class: "primary", id: "again" }),
      this.otherOpponent(),
      button(words.table.stepThrough, () => location.assign(`/game/${this.id}`), { id: "step-through" }),
      button(words.table.download, () => location.assign(`/api/games/${this.id}/record`), { id: "download" }),
    ];
  }

  /** Returns the way to the lobby, where the same game is offered. */
  otherOpponent() {
    const query = new URLSearchParams({ game: this.game.name, players: this.view.players.length });
    return button(words.table.otherOpponent, () => location.assign(`/?${query}`), { id: "other-opponent" });
  }

  /** Ends the game for somebody who plays against agents alone: they win. */
  resign() {
    this.resigned = true;
    this.close();
    const names = this.view.players.filter(({ seat }) => seat !== this.seat).map(playerName);
    const told = fill(names.length > 1 ? words.table.resignedAll : words.table.resigned, listed(names));
    keepTable(this.id, { over: true, resigned: told });
    announce(told);
    const again = button(words.table.rematch, () => newGame(this), { class: "primary", id: "again" });
    const buttons = make("p", { class: "buttons" }, again, this.otherOpponent());
    byId("turn").replaceChildren(make("h2", {}, told), buttons);
  }

  // Notices and tools.

  notice(text) {
    byId("notice").hidden = !text;
    byId("notice").replaceChildren(...withRules(text));
  }

  lost(error) {
    const gone = ["forbidden", "not_found"].includes(error.code);
    this.notice(gone ? error.message : fill(words.table.again, words.table.lost, error.message));
    byId("notice").dataset.lost = "true";
  }

  found() {
    this.notice("");
    delete byId("notice").dataset.lost;
  }

  tools() {
    const speed = byId("speed");
    speed.append(
      ...Object.keys(SPEEDS).map((name) =>
        make("option", { value: name, selected: name === this.playback.speed }, words.table.speeds[name]),
      ),
    );
    speed.addEventListener("change", () => {
      this.playback.speed = speed.value;
      keepSetting("speed", speed.value);
    });
    soundSwitch(byId("sound-switch"));
    this.keys = new Keys(this);
    makeTabs(document.querySelector("[role=tablist]"));
  }
}
