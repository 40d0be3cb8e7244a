// The choice of a placement, a wedding or a donation: preview, selection, confirmation.

import { announce, button, counted, make } from "../common/dom.js";
import { choiceWords } from "../common/events.js";
import { key } from "../common/geometry.js";
import { pieceShapes, pointsBadge, ringShape } from "../common/pieces.js";
import { fiefPicture } from "../common/shapes.js";
import { ACTIONS, planWords } from "../common/words.js";
import { Spots, whyNot } from "./spots.js";
import { Wedding } from "./wedding.js";

const NEAR = { hover: 0.75, pick: 1.3 }; // hex widths within which a placement is caught

/** One placing turn. `play(action)` is called when the choice is confirmed. */
export class Placing {
  constructor({ turn, view, seat, board, color, play }) {
    this.turn = turn;
    this.view = view;
    this.seat = seat;
    this.board = board;
    this.color = color;
    this.play = play;
    this.spots = new Spots(turn.fief, turn.placements, board);
    this.wedding = new Wedding(turn.placements);
    this.donation = turn.placements.find((placement) => placement.kind === "donation");
    this.index = this.spots.bestTurn();
    this.mode = this.spots.placements.length || !this.wedding.possible ? "fief" : "wedding";
    this.chosen = null;
    this.at = null;
  }

  open(panel) {
    this.said = make("p", { class: "choice", id: "choice" });
    this.confirm = button("Play", () => this.submit(), { class: "primary", id: "confirm" });
    this.undo = button("Undo", () => this.cancel(), { title: "Take the choice back (Esc)" });
    this.turns = make("div", { class: "turns", role: "group", "aria-label": "Rotation" });
    panel.replaceChildren(
      make("h2", {}, `Place fief ${this.turn.fief.number}`),
      this.reminder(),
      this.turns,
      this.said,
      make("div", { class: "buttons" }, this.confirm, this.undo, ...this.otherWays()),
    );
    this.board.handlers = {
      point: (at) => this.hover(at),
      leave: () => this.leave(),
      pick: (at) => this.pick(at),
      turn: (direction) => this.rotate(direction),
      cursor: (cell) => this.onCursor(cell),
    };
    if (!this.spots.placements.length && !this.wedding.possible) this.choose(this.donation);
    else this.update();
  }

  reminder() {
    const { plan } = this.view.players[this.seat];
    const rule = { A: "a harbor, no city", B: "no harbor", C: "a city and a harbor" }[plan.action];
    const where = plan.region === "inactive" ? "an inactive region" : plan.region;
    return make(
      "p",
      { class: "reminder", title: ACTIONS[plan.action].text },
      make("b", {}, planWords(plan)),
      `: at least one hex in ${where}; ${rule}.`,
    );
  }

  /** Returns the buttons for what may be done instead of placing the fief. */
  otherWays() {
    const ways = [];
    if (this.wedding.possible) {
      this.wed = button("⚭ Wedding", () => this.toggleWedding(), {
        id: "wedding",
        "aria-pressed": String(this.mode === "wedding"),
        title: "Put one or two rings on the map instead of the fief (w)",
      });
      ways.push(this.wed);
    }
    const title = "Give the fief away for 3 points (d)";
    ways.push(button("Donate +3", () => this.choose(this.donation), { id: "donate", title }));
    return ways;
  }

  toggleWedding() {
    this.mode = this.mode === "wedding" ? "fief" : "wedding";
    this.cancel();
    if (this.mode === "wedding") announce("Choose a hex for a ring.");
  }

  // Pointer, taps and cursor.

  hover(at) {
    this.at = at;
    if (!this.chosen) this.preview(at, NEAR.hover);
  }

  leave() {
    this.board.clear("preview");
    if (!this.chosen) this.board.clear("labels");
  }

  pick(at) {
    this.at = at;
    if (this.mode === "wedding") return this.pickRing(at);
    const placement = this.spots.nearest(this.index, at, NEAR.pick);
    if (placement) return this.choose(placement);
    this.cancel();
    this.preview(at, NEAR.hover);
    return undefined;
  }

  pickRing(at) {
    const hex = this.board.under(at);
    if (!hex) return;
    if (!this.wedding.toggle(hex.cell)) {
      this.said.textContent = "No ring may lie there.";
      announce(this.said.textContent);
      return;
    }
    this.chosen = this.wedding.on(this.wedding.cells) ?? null;
    this.update();
  }

  onCursor(cell) {
    this.at = this.board.pointOf(cell);
    if (this.chosen && this.mode === "fief") this.chosen = null;
    this.update();
    const found = this.mode === "fief" && this.spots.nearest(this.index, this.at, NEAR.pick);
    const spot = found ? `${this.words(found)}. Press Enter to choose.` : "";
    announce(`${this.board.describe(cell)}. ${spot}`);
  }

  // Rotation and choice.

  rotate(direction) {
    if (this.mode !== "fief") return false;
    const count = this.spots.turns.length;
    this.setTurn((this.index + direction + count) % count);
    return true;
  }

  setTurn(index) {
    this.index = index;
    const at = this.chosen?.middle ?? this.at;
    if (this.chosen) this.chosen = this.spots.nearest(index, at, NEAR.pick);
    this.at = at;
    this.update();
    const { placements } = this.spots.turns[index];
    announce(`Rotation ${index + 1}: ${counted(placements.length, "legal spot")}.`);
  }

  /** Chooses the next or last of all placements, those that score most first. */
  walk(step) {
    if (!this.spots.placements.length || this.mode !== "fief") return;
    const sorted = [...this.spots.placements].sort((a, b) => b.points - a.points);
    const now = sorted.indexOf(this.chosen);
    const next = now < 0 ? (step > 0 ? 0 : sorted.length - 1) : now + step;
    this.choose(sorted[(next + sorted.length) % sorted.length]);
  }

  /** Chooses a placement; it is played when it is confirmed. */
  choose(placement) {
    if (placement.kind === "fief") {
      this.mode = "fief";
      this.index = this.spots.turnOf(placement);
    }
    if (placement.kind === "wedding") {
      this.mode = "wedding";
      this.wedding.cells = [...placement.cells];
    }
    this.chosen = placement;
    this.update();
    announce(`${this.words(placement)}. Press Enter to play, Escape to take it back.`);
  }

  chooseAction(action) {
    const placement = this.turn.placements.find((one) => one.action === action);
    if (placement) this.choose(placement);
  }

  cancel() {
    this.chosen = null;
    this.wedding.cells = [];
    this.update();
  }

  submit() {
    if (this.chosen) this.play(this.chosen.action);
    else if (this.mode === "fief" && this.at) {
      const placement = this.spots.nearest(this.index, this.at, NEAR.pick);
      if (placement) this.choose(placement);
    }
  }

  /** Handles a key; returns whether it was one of the placing's. */
  onKey(name, onBoard) {
    if (name === "r") this.rotate(1);
    else if (name === "R") this.rotate(-1);
    else if (name === "n") this.walk(1);
    else if (name === "p") this.walk(-1);
    else if (name === "d") this.choose(this.donation);
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
    this.drawTurns();
    this.board.clear("preview", "chosen", "labels");
    const marked =
      this.mode === "wedding" ? this.wedding.open() : this.marked(this.spots.turns[this.index]);
    this.board.show("spots", ...marked.map((cell) => this.board.polygon(cell, { class: "spot" })));
    if (this.mode === "wedding") this.drawRings();
    else if (this.chosen?.kind === "fief") this.drawPiece("chosen", this.chosen);
    else if (this.at && !this.chosen) this.preview(this.at, NEAR.pick);
    this.say();
  }

  /** Returns a placement as what to do. */
  words(placement) {
    return choiceWords(placement, this.turn.fief.number);
  }

  marked(turn) {
    const cells = turn.placements.flatMap((placement) => placement.cells);
    return [...new Map(cells.map((cell) => [key(cell), cell])).values()];
  }

  drawTurns() {
    const buttons = this.spots.turns.map((turn, i) =>
      make(
        "button",
        {
          type: "button",
          class: "turn",
          "aria-pressed": String(i === this.index),
          "aria-label": `Rotation ${i + 1}: ${counted(turn.placements.length, "legal spot")}`,
          title: `${counted(turn.placements.length, "legal spot")} (r and R rotate)`,
          onclick: () => this.setTurn(i),
        },
        fiefPicture(this.turn.fief, turn.rotation, this.color, 15),
        make("small", {}, String(turn.placements.length)),
      ),
    );
    const focused = [...this.turns.children].indexOf(document.activeElement);
    this.turns.replaceChildren(...buttons);
    this.turns.hidden = this.mode !== "fief";
    if (focused >= 0) buttons[focused]?.focus();
  }

  preview(at, reach) {
    if (this.mode !== "fief") return;
    const placement = this.spots.nearest(this.index, at, reach);
    if (placement) {
      this.drawPiece("preview", placement);
      this.said.textContent = this.words(placement);
      return;
    }
    const cells = this.spots.around(this.index, at);
    const red = cells.map((cell) =>
      this.board.polygonAt(this.board.pointOf(cell), { class: "illegal" }),
    );
    this.board.clear("labels");
    this.board.show("preview", ...red);
    const { view, seat, board } = this;
    this.said.textContent = `Not here: ${whyNot(cells, this.castleIndices(), { view, seat, board })}.`;
  }

  castleIndices() {
    const { cells, castles } = this.turn.fief;
    const names = castles.map(key);
    return [...cells.keys()].filter((i) => names.includes(key(cells[i])));
  }

  drawPiece(layer, placement) {
    this.board.show(layer, ...pieceShapes(this.board, placement, this.color));
    this.board.show("labels", pointsBadge(this.board, placement));
  }

  drawRings() {
    const rings = this.wedding.cells.map((cell) => ringShape(this.board, cell, this.color));
    this.board.show("chosen", ...rings);
  }

  say() {
    this.confirm.disabled = !this.chosen;
    this.undo.disabled = !this.chosen && !this.wedding.cells.length;
    this.confirm.textContent = this.chosen ? `Play: +${this.chosen.points}` : "Play";
    this.wed?.setAttribute("aria-pressed", String(this.mode === "wedding"));
    this.confirm.setAttribute("aria-keyshortcuts", "Enter");
    if (this.chosen) this.said.textContent = this.words(this.chosen);
    else if (this.mode === "wedding") this.said.textContent = this.ringsSaid();
    else if (!this.at) this.said.textContent = this.fiefSaid();
  }

  ringsSaid() {
    if (!this.wedding.cells.length) return "Choose a marked hex for a ring.";
    return "Choose a marked hex next to it for the second ring.";
  }

  fiefSaid() {
    const { length } = this.spots.placements;
    if (length) return `${counted(length, "legal spot")} in all rotations. Choose one on the map.`;
    return "No legal spot for this fief.";
  }

  close() {
    this.board.handlers = {};
    this.board.clear("spots", "preview", "chosen", "labels", "cursor");
  }
}
