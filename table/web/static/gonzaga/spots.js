// Where a fief may lie: the legal placements by shape, and the one nearest to a point.

import { key, middle, rotated, shapeKey, toAxial, toCell } from "../common/geometry.js";

const DISTANT = 2; // hex widths by which another rotation has to be nearer

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

  /** Returns the legal placement on exactly these hexes, if any. */
  on(cells) {
    const wanted = hexesKey(cells);
    return this.placements.find((placement) => hexesKey(placement.cells) === wanted);
  }

  /** Returns the most points that a spot scores; undefined where there is none. */
  best() {
    return this.placements.length
      ? Math.max(...this.placements.map((placement) => placement.points))
      : undefined;
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
    return this.near(index, at, reach).placement;
  }

  /** Returns the nearest placement of any turn; the given turn is preferred. */
  nearestOfAll(index, at, reach) {
    const found = this.turns.map((turn, i) => this.near(i, at, reach));
    found[index].distance -= DISTANT * this.board.hexWidth;
    return found.reduce((best, one) => (one.distance < best.distance ? one : best)).placement;
  }

  /** Returns a placement as `nearest` does, with its distance. */
  near(index, at, reach) {
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
    return { placement: found, distance: least };
  }

  /** Returns the cells of a turn's shape around a point, legal or not, in the fief's order. */
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
