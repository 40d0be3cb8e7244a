// Where a fief may lie: the legal placements by shape, and the one nearest to a point.

import { key, middle, rotated, shapeKey, toAxial, toCell } from "../common/geometry.js";

/** The legal spots of a fief. Placements come from the server; nothing is judged here. */
export class Spots {
  constructor(fief, placements, board) {
    this.fief = fief;
    this.board = board;
    this.placements = placements.filter((placement) => placement.kind === "fief");
    for (const placement of this.placements) {
      placement.shape = shapeKey(placement.cells.map(toAxial));
      placement.middle = middle(placement.cells.map((cell) => board.pointOf(cell)));
    }
    this.turns = this.distinctTurns();
  }

  /** Returns the rotations that give different shapes, with their legal placements. */
  distinctTurns() {
    const turns = new Map();
    for (let rotation = 0; rotation < 6; rotation += 1) {
      const cells = rotated(this.fief.cells, rotation);
      const name = shapeKey(cells);
      if (turns.has(name)) continue;
      const placements = this.placements.filter((placement) => placement.shape === name);
      turns.set(name, { rotation, cells, name, placements });
    }
    return [...turns.values()];
  }

  /** Returns the index of the turn of a placement. */
  turnOf(placement) {
    return this.turns.findIndex((turn) => turn.name === placement.shape);
  }

  /** Returns the index of the turn with the most points to win, the first of equal ones. */
  bestTurn() {
    const most = (turn) => Math.max(-1, ...turn.placements.map((placement) => placement.points));
    const values = this.turns.map(most);
    return values.indexOf(Math.max(...values));
  }

  /**
   * Returns the legal placement of a turn whose middle is nearest to a point: of those that cover
   * the point, and of those within `reach` hex widths. Returns null if there is none.
   */
  nearest(index, at, reach) {
    const under = this.board.under(at);
    const here = under && key(under.cell);
    const limit = reach * this.board.hexWidth;
    let [found, least] = [null, Infinity];
    for (const placement of this.turns[index].placements) {
      const [x, y] = placement.middle;
      const distance = Math.hypot(x - at[0], y - at[1]);
      const caught = distance < limit || placement.cells.some((cell) => key(cell) === here);
      if (caught && distance < least) [found, least] = [placement, distance];
    }
    return found;
  }

  /** Returns the cells of a turn's shape around a point, legal or not. */
  around(index, at) {
    const hex = toAxial(this.board.nearest(at).cell);
    const shape = this.turns[index].cells;
    const ways = shape.map(([q, r]) =>
      shape.map(([q2, r2]) => toCell([hex[0] + q2 - q, hex[1] + r2 - r])),
    );
    const distance = (cells) => {
      const [x, y] = middle(cells.map((cell) => this.board.pointOf(cell)));
      return Math.hypot(x - at[0], y - at[1]);
    };
    return ways.reduce((best, cells) => (distance(cells) < distance(best) ? cells : best));
  }
}

/** Says why a fief cannot lie on some cells, as far as the page can tell (R4). */
export function whyNot(cells, castles, { view, seat, board }) {
  const { plan } = view.players[seat];
  const hexes = cells.map((cell) => board.hexes.get(key(cell)));
  if (hexes.some((hex) => !hex)) return "off the map";
  const taken = new Set(view.fiefs.flatMap((fief) => fief.cells.map(key)));
  if (cells.some((cell) => taken.has(key(cell)))) return "another fief lies there";
  const rings = view.rings.filter((ring) => ring.seat === seat).map((ring) => key(ring.cell));
  if (cells.some((cell) => rings.includes(key(cell)))) return "your own ring lies there";
  const regions = plan.region === "inactive" ? view.inactive : [plan.region];
  if (!hexes.some((hex) => regions.includes(hex.region))) return `no hex in ${regions.join(", ")}`;
  const kinds = cells.map((cell) => board.sites.get(key(cell))?.kind);
  const [city, harbor] = ["city", "harbor"].map((kind) => kinds.includes(kind));
  if (plan.action === "A" && !(harbor && !city)) return "A needs a harbor and no city";
  if (plan.action === "B" && harbor) return "B allows no harbor";
  if (plan.action === "C" && !(harbor && city)) return "C needs a city and a harbor";
  if (castles.some((i) => !hexes[i].region)) return "a castle would stand in the sea";
  return "a barrier lies between its hexes";
}
