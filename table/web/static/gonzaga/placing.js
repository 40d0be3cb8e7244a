// The choice of a placement, a wedding or a donation: preview, selection, confirmation.

import { announce, button, make, once } from "../common/dom.js";
import { choiceWords } from "../common/events.js";
import { pieceShapes, ringShape } from "./pieces.js";
import { planWords } from "../common/words.js";
import { fill, plural, words } from "../words/index.js";
import { withRules } from "../common/rules.js";
import { undoButton } from "../table/undo.js";
import { refusalWords } from "./refusals.js";
import { Tryout } from "./tryout.js";
import { Wedding } from "./wedding.js";

const text = words.gonzaga;

/** One placing turn. `play(action)` is called when the choice is confirmed. */
export class Placing {
  constructor({ turn, view, seat, board, color, refusals, kept, plans, takeBack, play, guide }) {
    this.turn = turn;
    this.view = view;
    this.seat = seat;
    this.board = board;
    this.color = color;
    this.refusals = refusals;
    this.kept = kept;
    this.plans = plans;
    this.takeBack = takeBack;
    this.play = play;
    this.guide = guide; // called when it is about the fief or a wedding from now on
    this.chosen = null;
    this.reminded = null; // the mode that was said
    const { fief } = turn;
    const placements = turn.placements.map((placement) => ({ ...placement }));
    this.placements = placements;
    this.tryout = new Tryout({ owner: this, fief, placements, board, color, refusals, view, seat });
    this.wedding = new Wedding(placements);
    this.donation = placements.find((placement) => placement.kind === "donation");
    this.mode = this.tryout.spots.placements.length || !this.wedding.possible ? "fief" : "wedding";
  }

  open(panel) {
    this.said = make("p", { class: "choice", id: "choice" });
    this.confirm = button(text.play, once(() => this.submit()), { class: "primary", id: "confirm" });
    this.undo = undoButton(this);
    const { action } = this.view.players[this.seat].plan;
    this.heading = make("h2");
    this.reminder = make("p", { class: "reminder", title: words.common.actions[action].text });
    this.turns = make("div", { class: "turns", role: "group", "aria-label": text.rotations });
    panel.replaceChildren(
      this.plans,
      this.heading,
      this.reminder,
      this.turns,
      this.said,
      make("div", { class: "buttons" }, this.confirm, this.undo, ...this.otherWays()),
    );
    this.board.handlers = {
      point: (at) => this.tryOn(() => this.tryout.hover(at)),
      leave: () => this.tryout.leave(),
      pick: (at) => this.pick(at),
      turn: (direction) => this.mode === "fief" && this.tryout.rotate(direction),
      cursor: (cell) => this.onCursor(cell),
    };
    this.begin();
  }

  /** Offers the spot that was kept while planning, or the donation if nothing else is left. */
  begin() {
    const { spots } = this.tryout;
    const kept = this.kept.among(spots.placements);
    if (kept) this.choose(kept);
    else if (!spots.placements.length && !this.wedding.possible) this.choose(this.donation);
    else this.update();
    if (kept) this.say(fill(text.keptSpot, this.placementWords(kept)));
    else if (this.kept.spot) this.sayGone(this.kept.spot);
  }

  /** Says why the spot that was kept is not legal any more, and marks it. */
  sayGone(spot) {
    this.refusals.ofFief(spot, (refusal) => {
      if (!refusal) return;
      this.tryout.drawRefused(spot.cells, refusal.hexes);
      this.say(fill(text.keptGone, refusalWords(refusal, this.view, this.seat)));
      announce(this.said.textContent);
    });
  }

  /** Says what is to be done, and where the plan allows it. */
  remind() {
    const { plan } = this.view.players[this.seat];
    const where = plan.region === "inactive" ? text.anInactive : plan.region;
    const fief = this.mode === "fief";
    this.heading.textContent = fief ? fill(text.placeFief, this.turn.fief.number) : text.arrangeWedding;
    const rule = fief ? fill(text.reminder, where, text.cardNeeds[plan.action]) : fill(text.ringsReminder, where);
    this.reminder.replaceChildren(make("b", {}, planWords(plan)), `: ${rule}`);
    if (this.reminded !== this.mode && this.reminded) this.guide();
    this.reminded = this.mode;
  }

  /** Returns the buttons for what may be done instead of placing the fief. */
  otherWays() {
    const ways = [];
    if (this.wedding.possible) {
      this.wed = button(text.wedding, () => this.toggleWedding(), {
        id: "wedding",
        "aria-pressed": String(this.mode === "wedding"),
        title: text.weddingTitle,
      });
      ways.push(this.wed);
    }
    if (!this.donation) return ways; // a puzzle need not offer it
    const donate = () => this.choose(this.donation);
    const { points } = this.donation;
    ways.push(
      button(fill(text.donate, points), donate, { id: "donate", title: fill(text.donateTitle, points) }),
    );
    return ways;
  }

  toggleWedding() {
    this.mode = this.mode === "wedding" ? "fief" : "wedding";
    this.cancel();
    if (this.mode === "wedding") announce(text.chooseRing);
  }

  // What the tryout asks its owner.

  placementWords(placement) {
    return choiceWords(placement, this.turn.fief.number);
  }

  say(said) {
    this.said.replaceChildren(...withRules(said));
  }

  drop() {
    this.chosen = null;
  }

  // Pointer, taps and cursor.

  tryOn(act) {
    if (this.mode === "fief") act();
  }

  pick(at) {
    if (this.mode === "wedding") {
      this.pickRing(at);
    } else if (!this.tryout.pick(at)) {
      this.cancel();
      this.tryout.hover(at);
    }
  }

  pickRing(at) {
    const hex = this.board.under(at);
    if (!hex) return;
    const before = this.wedding.cells;
    if (this.wedding.toggle(hex.cell)) {
      this.chosen = this.wedding.on(this.wedding.cells) ?? null;
      this.update();
      return;
    }
    const cells = [...before, hex.cell].slice(-2);
    this.chosen = null;
    this.update();
    this.refusals.ofRings({ cells }, (refusal) => this.tellRings(hex.cell, refusal));
  }

  /** Says why no ring may lie on a hex, and marks what is at fault. */
  tellRings(cell, refusal) {
    const wrong = refusal?.hexes.length ? refusal.hexes : [cell];
    const marks = wrong.map((at) =>
      this.board.polygonAt(this.board.pointOf(at), { class: "illegal wrong" }),
    );
    this.board.show("preview", ...marks);
    const why = refusal ? refusalWords(refusal, this.view, this.seat) : text.ringAgain;
    this.say(fill(text.notHere, why));
    announce(this.said.textContent);
  }

  onCursor(cell) {
    if (this.mode === "fief") this.tryout.toCell(cell);
    else announce(this.board.describe(cell));
  }

  /** Chooses a placement; it is played when it is confirmed. */
  choose(placement) {
    if (placement.kind === "fief") {
      this.mode = "fief";
      this.tryout.index = this.tryout.spots.turnOf(placement);
    }
    if (placement.kind === "wedding") {
      this.mode = "wedding";
      this.wedding.cells = [...placement.cells];
    }
    this.chosen = placement;
    this.update();
    announce(`${this.placementWords(placement)}. ${text.enterPlays}`);
  }

  chooseAction(action) {
    const placement = this.placements.find((one) => one.action === action);
    if (placement) this.choose(placement);
  }

  cancel() {
    this.chosen = null;
    this.wedding.cells = [];
    this.update();
  }

  /** Whether something is chosen that Undo would take back before what was played. */
  get pending() {
    return Boolean(this.chosen || this.wedding.cells.length);
  }

  submit() {
    if (this.chosen) this.play(this.chosen.action);
    else if (this.mode === "fief" && this.tryout.at) this.tryout.pick(this.tryout.at);
  }

  /** Handles a key; returns whether it was one of the placing's. */
  onKey(name, onBoard) {
    const { tryout } = this;
    if (name === "r") this.tryOn(() => tryout.rotate(1));
    else if (name === "R") this.tryOn(() => tryout.rotate(-1));
    else if (name === "n") this.tryOn(() => tryout.walk(1));
    else if (name === "p") this.tryOn(() => tryout.walk(-1));
    else if (name === "d" && this.donation) this.choose(this.donation);
    else if (name === "w" && this.wedding.possible) this.toggleWedding();
    else if (name === "Escape") this.cancel();
    else if (name === " " && onBoard) this.pick(this.board.pointOf(this.board.cursorCell));
    else if (name === "Enter") this.enter(onBoard);
    else return false;
    return true;
  }

  /** Confirms what is chosen; otherwise chooses what is under the cursor. */
  enter(onBoard) {
    if (this.chosen || !onBoard) this.submit();
    else this.pick(this.board.pointOf(this.board.cursorCell));
  }

  // Drawing.

  update() {
    const { tryout, board, mode, chosen } = this;
    tryout.refusals.stop();
    tryout.drawTurns(this.turns);
    this.turns.hidden = mode !== "fief";
    board.clear("preview", "chosen", "labels");
    const marked = mode === "wedding" ? this.wedding.open() : tryout.spots.cells(tryout.index);
    board.showSpots(marked);
    this.drawKept();
    this.remind();
    this.sayChoice();
    if (mode === "wedding") this.drawRings();
    else if (chosen?.kind === "fief") tryout.drawPiece("chosen", chosen);
    else if (tryout.at && !chosen) tryout.preview(tryout.at, 1.3);
  }

  /** Draws the spot kept while planning, as long as another one is tried. */
  drawKept() {
    const kept = this.kept.among(this.tryout.spots.placements);
    const shown = kept && kept !== this.chosen && this.mode === "fief";
    this.board.show("ghost", ...(shown ? pieceShapes(this.board, kept, this.color) : []));
  }

  drawRings() {
    const rings = this.wedding.cells.map((cell) => ringShape(this.board, cell, this.color));
    this.board.show("chosen", ...rings);
  }

  sayChoice() {
    const { chosen } = this;
    this.confirm.disabled = !chosen;
    this.undo.disabled = !this.pending && !this.takeBack;
    this.confirm.textContent = chosen ? fill(text.playPoints, chosen.points) : text.play;
    this.wed?.setAttribute("aria-pressed", String(this.mode === "wedding"));
    this.confirm.setAttribute("aria-keyshortcuts", "Enter");
    if (chosen) this.say(this.placementWords(chosen));
    else if (this.mode === "wedding") this.say(this.ringsSaid());
    else if (!this.tryout.at) this.say(this.fiefSaid());
  }

  ringsSaid() {
    return this.wedding.cells.length ? text.secondRing : text.firstRing;
  }

  fiefSaid() {
    const { length } = this.tryout.spots.placements;
    return length ? fill(text.allSpots, plural(length, text.spots)) : text.noSpot;
  }

  close() {
    this.board.handlers = {};
    this.tryout.close();
    this.board.clear("chosen", "ghost");
  }
}
