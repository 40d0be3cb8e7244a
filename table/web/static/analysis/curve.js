// The curve: each player's chances of winning by move, with mistakes; every point leads to its move.

import { byId, make, makeSvg } from "../common/dom.js";
import { fill, number, words } from "../words/index.js";

const [WIDTH, HEIGHT] = [640, 260];
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 12, 10, 24];
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];

const percent = (value) => number(value, { style: "percent" });

/** Returns the address of a position within the page. */
export const moveLink = (move) => `#move=${move}`;

/** The chart in its container; `go(move)` shows a position, `names` are the players'. */
export class Curve {
  constructor(names, rounds, go) {
    this.names = names;
    this.rounds = rounds;
    this.go = go;
    this.last = rounds.length - 1;
    this.svg = makeSvg("svg", {
      class: "curve",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "group", // its points are links
      "aria-label": words.analysis.curveLabel,
    });
    this.lines = makeSvg("g");
    this.marker = makeSvg("line", { class: "marker", y1: TOP, y2: HEIGHT - BOTTOM });
    this.hover = makeSvg("line", { class: "hover", y1: TOP, y2: HEIGHT - BOTTOM });
    this.points = makeSvg("g");
    this.tip = make("p", { class: "tip", "aria-hidden": "true" });
    this.svg.append(this.grid(), this.hover, this.marker, this.lines, this.points);
    this.legend = make("p", { class: "legend" });
    byId("curve").replaceChildren(this.svg, this.legend, this.tip);
    this.listen();
  }

  x(move) {
    return LEFT + ((WIDTH - LEFT - RIGHT) * move) / Math.max(1, this.last);
  }

  y(chance) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance);
  }

  /** Returns lines at the quarters, and where rounds begin. */
  grid() {
    const across = [0, 0.25, 0.5, 0.75, 1].flatMap((chance) => [
      makeSvg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: this.y(chance), y2: this.y(chance) }),
      makeSvg("text", { x: LEFT - 6, y: this.y(chance) + 4, "text-anchor": "end" }, percent(chance)),
    ]);
    const begins = this.rounds
      .map((round, move) => ({ round, move }))
      .filter(({ round, move }) => move && round > this.rounds[move - 1])
      .map(({ round, move }) => ({ round, move: move - 1 }));
    const upright = begins.flatMap(({ round, move }) => [
      makeSvg("line", { x1: this.x(move), x2: this.x(move), y1: TOP, y2: HEIGHT - BOTTOM }),
      makeSvg("text", { x: this.x(move) + 3, y: HEIGHT - 8 }, String(round)),
    ]);
    return makeSvg("g", { class: "grid", "aria-hidden": "true" }, ...across, ...upright);
  }

  listen() {
    const moveAt = ({ clientX }) => {
      const box = this.svg.getBoundingClientRect();
      const at = ((clientX - box.left) / box.width) * WIDTH;
      const share = (at - LEFT) / (WIDTH - LEFT - RIGHT);
      return Math.round(Math.min(1, Math.max(0, share)) * this.last);
    };
    this.svg.addEventListener("click", (event) => this.go(moveAt(event)));
    this.svg.addEventListener("pointermove", (event) => this.point(moveAt(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
  }

  /** Shows the chances at a move below the pointer. */
  point(move) {
    const shown = move !== null && this.chances?.[move];
    this.hover.style.visibility = shown ? "visible" : "hidden";
    this.tip.textContent = shown ? this.sentence(move) : "";
    if (shown) for (const end of ["x1", "x2"]) this.hover.setAttribute(end, String(this.x(move)));
  }

  sentence(move) {
    const all = this.names.map((name, seat) => `${name} ${percent(this.chances[move][seat])}`);
    return `${fill(words.analysis.moveNumber, move)}: ${all.join(", ")}`;
  }

  /** Draws chances as far as they are known, and mistakes `{move, seat, grade, words}`. */
  draw(chances, mistakes) {
    this.chances = chances;
    this.lines.replaceChildren(
      ...this.names.map((_, seat) =>
        makeSvg("polyline", {
          class: `player player-${seat}`,
          style: `stroke: var(--player${seat})`,
          "stroke-dasharray": DASHES[seat],
          points: chances.map((row, move) => `${this.x(move)},${this.y(row[seat])}`).join(" "),
        }),
      ),
    );
    const known = mistakes.filter(({ move }) => chances[move]);
    this.points.replaceChildren(...known.map((one) => this.mistake(one)));
  }

  mistake({ move, seat, grade, said }) {
    const place = { cx: this.x(move), cy: this.y(this.chances[move][seat]) };
    const style = `stroke: var(--player${seat})`;
    return makeSvg(
      "a",
      { href: moveLink(move), "aria-label": said },
      makeSvg("title", {}, said),
      makeSvg("circle", { class: `point ${grade}`, style, r: grade === "blunder" ? 6 : 4.5, ...place }),
    );
  }

  /** Marks a position, and says its chances. */
  mark(move) {
    for (const end of ["x1", "x2"]) this.marker.setAttribute(end, String(this.x(move)));
    const known = this.chances?.[move];
    const text = known ? this.sentence(move) : fill(words.analysis.moveNumber, move);
    byId("slider").setAttribute("aria-valuetext", text);
    this.legend.replaceChildren(
      ...this.names.map((name, seat) =>
        make(
          "span",
          {},
          makeSvg(
            "svg",
            { class: "key", viewBox: "0 0 24 8", "aria-hidden": "true" },
            makeSvg("line", {
              ...{ x1: 0, x2: 24, y1: 4, y2: 4, style: `stroke: var(--player${seat})` },
              "stroke-dasharray": DASHES[seat],
            }),
          ),
          name,
          known ? make("b", {}, percent(known[seat])) : null,
        ),
      ),
    );
  }
}

/** Returns the chances as a table, a row for each move. */
export function chancesTable(names, chances, rounds) {
  const head = [words.analysis.move, ...names].map((name) => make("th", { scope: "col" }, name));
  const rows = chances.map((row, move) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, make("a", { href: moveLink(move) }, String(move)), ` (${rounds[move]})`),
      ...row.map((chance) => make("td", {}, percent(chance))),
    ),
  );
  return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}
