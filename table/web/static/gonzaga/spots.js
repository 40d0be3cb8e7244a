// Where a fief may lie: the legal placements by shape, and the one nearest to a point.

import { key, middle, rotated, shapeKey, toAxial, toCell } from "../common/geometry.js";

/** Returns the hexes of a fief, in the order of its cells, with its first cell on `at`. */
function laid(cells, rotation, at) {
  const [first, ...rest] = rotated(cells, rotation);
  const [q, r] = toAxial(at);
  return [first, ...rest].map(([a, b]) => toCell([q + a - first[0], r + b - first[1]]));
}

/** Returns the spots of a planning turn as placements, with the cards that allow them. */
export function plannedSpots({ fief, spots }) {
  const names = fief.castles.map(key);
  const indices = [...fief.cells.keys()].filter((i) => names.includes(key(fief.cells[i])));
  return spots.flatMap(({ card, regions, spots: rows }) =>
    rows.map(([rotation, row, column, points]) => {
      const cells = laid(fief.cells, rotation, [row, column]);
      const castles = indices.map((i) => cells[i]);
      return { kind: "fief", card, regions, points, rotation, cells, castles };
    }),
  );
}

/** @type {(one: number[], other: number[]) => number} */
const between = ([x, y], [x2, y2]) => Math.hypot(x - x2, y - y2);

/**
 * Returns the plans that open a spot on a hex, each as `{region, card, spot}` with its best spot
 * there, of equal ones the nearest to a point. Plans come best first: by the points of that spot,
 * then by how many spots they open in all.
 */
export function plansOver(spots, plans, cell, at) {
  const here = spots.filter(({ cells }) => cells.some((one) => key(one) === key(cell)));
  const better = (a, b) => b.points - a.points || between(a.middle, at) - between(b.middle, at);
  return plans
    .filter(({ privilege }) => !privilege)
    .map(({ region, card, spots: count }) => {
      const own = here.filter((one) => one.card === card && one.regions.includes(region));
      return { region, card, count, spot: own.sort(better)[0] };
    })
    .filter(({ spot }) => spot)
    .sort((a, b) => b.spot.points - a.spot.points || b.count - a.count);
}

/** Returns a text that is equal for the same hexes in any order. */
export const hexesKey = (cells) => cells.map(key).sort().join(" ");

/** The legal spots of a fief. Placements come from the server; nothing is judged here. */
export class Spots {
  constructor(fief, placements, board) {
    this.fief = fief;
    this.board = board;
    this.placements = placements.filter((placement) => placement.kind === "fief");
    for (const placement of this.placements) {
      placement.shape ??= shapeKey(placement.cells.map(toAxial));
      placement.middle ??= middle(placement.cells.map((cell) => board.pointOf(cell)));
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

  /** Returns the hexes that placements cover, each once; those of one turn, or of all. */
  cells(index = null) {
    const { placements } = index === null ? this : this.turns[index];
    const cells = placements.flatMap((placement) => placement.cells);
    return [...new Map(cells.map((cell) => [key(cell), cell])).values()];
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
      const distance = between(placement.middle, at);
      const caught = distance < limit || placement.cells.some((cell) => key(cell) === here);
      if (caught && distance < least) [found, least] = [placement, distance];
    }
    return found;
  }

  /** Returns the cells of a turn's shape around a point, legal or not, in the fief's order. */
  around(index, at) {
    const hex = toAxial(this.board.nearest(at).cell);
    const shape = this.turns[index].cells;
    const ways = shape.map(([q, r]) =>
      shape.map(([q2, r2]) => toCell([hex[0] + q2 - q, hex[1] + r2 - r])),
    );
    const distance = (cells) => between(middle(cells.map((cell) => this.board.pointOf(cell))), at);
    return ways.reduce((best, cells) => (distance(cells) < distance(best) ? cells : best));
  }
}
