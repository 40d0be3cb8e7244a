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

  /** The spot that is kept, as `{rotation, cells}`; null if there is none of this round. */
  get spot() {
    const kept = tableOf(this.table)?.kept;
    return kept?.seat === this.seat && kept.round === this.round ? kept.spot : null;
  }

  set spot(spot) {
    const { seat, round } = this;
    const kept = spot && { seat, round, spot: { rotation: spot.rotation, cells: spot.cells } };
    keepTable(this.table, { kept });
  }

  /** Returns which of some placements is kept, if any. */
  among(placements) {
    const wanted = this.spot && hexesKey(this.spot.cells);
    return wanted && placements.find((placement) => hexesKey(placement.cells) === wanted);
  }
}
