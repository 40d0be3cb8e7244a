// A fief that is tried on the map: it snaps to legal spots; elsewhere the server says why not.

import { announce, make } from "../common/dom.js";
import { coveredWords } from "../common/events.js";
import { key } from "../common/geometry.js";
import { pieceShapes, pointsBadge } from "./pieces.js";
import { fiefPicture } from "../common/shapes.js";
import { fill, plural, words } from "../words/index.js";
import { refusalWords } from "./refusals.js";
import { Spots } from "./spots.js";

const NEAR = { hover: 0.75, pick: 1.3 }; // hex widths within which a placement is caught
const text = words.gonzaga;

/**
 * The piece under the pointer or cursor. Its `owner` decides what becomes of it, and has
 * `chosen` (a placement or null), `choose(placement)`, `drop()`, `update()`, `say(text)` and
 * `placementWords(placement)`.
 */
export class Tryout {
  constructor({ owner, fief, placements, board, color, refusals, view, seat }) {
    this.owner = owner;
    this.fief = fief;
    this.board = board;
    this.color = color;
    this.refusals = refusals;
    this.view = view;
    this.seat = seat;
    this.at = null;
    this.offer(placements);
    this.index = this.spots.bestTurn();
  }

  /** Offers other placements. */
  offer(placements) {
    this.spots = new Spots(this.fief, placements, this.board);
  }

  get turn() {
    return this.spots.turns[this.index];
  }

  find(at, reach) {
    return this.spots.nearest(this.index, at, reach);
  }

  hover(at) {
    this.at = at;
    if (!this.owner.chosen) this.preview(at, NEAR.hover);
  }

  leave() {
    this.refusals.stop();
    this.board.clear("preview");
    if (!this.owner.chosen) this.board.clear("labels");
  }

  /** Chooses the spot at a point; returns whether there is one. */
  pick(at) {
    this.at = at;
    const placement = this.find(at, NEAR.pick);
    if (placement) this.owner.choose(placement);
    return Boolean(placement);
  }

  /** Takes the piece to a cell with the cursor; says what it does there. */
  toCell(cell) {
    this.at = this.board.pointOf(cell);
    if (this.owner.chosen) this.owner.drop();
    this.owner.update();
    const found = this.find(this.at, NEAR.pick);
    const spot = found ? `${this.owner.placementWords(found)}. ${text.enterChooses}` : "";
    announce(`${this.board.describe(cell)}. ${spot}`);
  }

  rotate(direction) {
    const count = this.spots.turns.length;
    this.setTurn((this.index + direction + count) % count);
    return true;
  }

  setTurn(index) {
    this.index = index;
    const { chosen } = this.owner;
    if (chosen) {
      this.at = chosen.middle ?? this.at; // a donation has no place
      const turned = this.at && this.spots.nearest(index, this.at, NEAR.pick);
      if (turned) this.owner.choose(turned);
      else this.owner.drop();
    }
    this.owner.update();
    announce(fill(text.rotation, index + 1, plural(this.turn.placements.length, text.spots)));
  }

  /** Chooses the next or last of all placements, those that score most first. */
  walk(step) {
    if (!this.spots.placements.length) return;
    const sorted = [...this.spots.placements].sort((a, b) => b.points - a.points);
    const now = sorted.indexOf(this.owner.chosen);
    const next = now < 0 ? (step > 0 ? 0 : sorted.length - 1) : now + step;
    this.owner.choose(sorted[(next + sorted.length) % sorted.length]);
  }

  // Drawing.

  /** Shows the piece at a point: on a legal spot, or in red with the reason. */
  preview(at, reach) {
    this.refusals.stop();
    const placement = this.find(at, reach);
    if (placement) {
      this.drawPiece("preview", placement);
      this.owner.say(this.owner.placementWords(placement));
    } else {
      this.refuse(at);
    }
  }

  /** Shows the piece in red at a point, and asks why it may not lie there. */
  refuse(at) {
    const cells = this.spots.around(this.index, at);
    this.board.clear("labels");
    this.drawRefused(cells);
    this.owner.say(text.no);
    const { rotation } = this.turn;
    this.refusals.ofFief({ rotation, cells }, (refusal) => this.tell(cells, refusal));
  }

  /** Says why the piece may not lie on cells, and marks those at fault. */
  tell(cells, refusal) {
    this.drawRefused(cells, refusal?.hexes);
    const why = refusal ? refusalWords(refusal, this.view, this.seat) : text.otherCards;
    this.owner.say(fill(text.notHere, why));
  }

  drawRefused(cells, wrong = []) {
    const names = wrong.map(key);
    const red = cells.map((cell) => {
      const style = names.includes(key(cell)) ? "illegal wrong" : "illegal";
      return this.board.polygonAt(this.board.pointOf(cell), { class: style });
    });
    this.board.show("preview", ...red);
  }

  drawPiece(layer, placement) {
    this.board.show(layer, ...pieceShapes(this.board, placement, this.color));
    this.board.show("labels", pointsBadge(this.board, placement));
  }

  /** Draws the rotations as buttons, with their numbers of legal spots. */
  drawTurns(container) {
    const buttons = this.spots.turns.map((turn, i) => {
      const counted = plural(turn.placements.length, text.spots);
      return make(
        "button",
        {
          type: "button",
          class: "turn",
          "aria-pressed": String(i === this.index),
          "aria-label": fill(text.rotation, i + 1, counted),
          title: fill(text.rotates, counted),
          onclick: () => this.setTurn(i),
        },
        fiefPicture(this.fief, turn.rotation, this.color, 15),
        make("small", {}, String(turn.placements.length)),
      );
    });
    const focused = [...container.children].indexOf(document.activeElement);
    container.replaceChildren(...buttons);
    if (focused >= 0) buttons[focused]?.focus();
  }

  close() {
    this.refusals.stop();
    this.board.clear("spots", "preview", "labels");
  }
}

/** Returns what a spot covers and scores, such as "Rouen, +6". */
export const spotWords = ({ cells, points }, board) =>
  coveredWords({
    sites: cells.map((cell) => board.sites.get(key(cell))?.name).filter(Boolean),
    leagues: [],
    points,
  });
