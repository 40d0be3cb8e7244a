// The spot that a player has in mind while planning: kept by this browser until it is placed.

import { keepTable, tableOf } from "../common/storage.js";
import { hexesKey } from "./spots.js";

/** The spot kept for a round of a table and seat. */
export class Kept {
  constructor(table, seat, round) {
    this.table = table;
    this.seat = seat;
    this.round = round;
  }

  /** The hexes that are kept; null if there are none of this round. */
  get cells() {
    const kept = tableOf(this.table)?.kept;
    return kept?.seat === this.seat && kept.round === this.round ? kept.cells : null;
  }

  set cells(cells) {
    const kept = cells && { seat: this.seat, round: this.round, cells };
    keepTable(this.table, { kept });
  }

  /** Returns which of some placements is kept, if any. */
  among(placements) {
    const wanted = this.cells && hexesKey(this.cells);
    return wanted && placements.find((placement) => hexesKey(placement.cells) === wanted);
  }
}
