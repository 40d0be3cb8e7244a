// What pieces add up to, drawn on the map on demand: groups, the own objective, harbors of each sea.

import { announce, make, makeSvg } from "../common/dom.js";
import { corners, key, middle } from "../common/geometry.js";
import { badge, outline } from "./pieces.js";
import { playerName } from "../common/words.js";
import { fill, listed, plural, words } from "../words/index.js";
import { ANCHOR } from "./cards.js";

const text = words.gonzaga;
const KEYS = { groups: "g", objective: "o", leagues: "l" };
const SIGNS = {
  groups: () => [-1, 1].map((side) => makeSvg("polygon", { points: corners([4.6 * side, side], 9.2) })),
  objective: () => [10, 4].map((r) => makeSvg("circle", { r })),
  leagues: () => [makeSvg("path", { d: ANCHOR })],
};
const GOAL_SIGNS = { held: "✓", open: "", ring: "○", blocked: "✕" };
const STATUSES = ["held", "open", "ring", "blocked"];

/** Draws what is asked for; `read()` returns the server's overview. */
export class Overview {
  constructor({ board, container, read }) {
    this.board = board;
    this.read = read;
    this.shown = null;
    this.buttons = Object.fromEntries(
      Object.keys(KEYS).map((name) => [
        name,
        make(
          "button",
          {
            type: "button",
            id: `show-${name}`,
            class: "small",
            "aria-pressed": "false",
            "aria-keyshortcuts": KEYS[name],
            title: text[`${name}Title`],
            onclick: () => this.toggle(name),
          },
          makeSvg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }, ...SIGNS[name]()),
          make("span", {}, text[name]),
        ),
      ]),
    );
    this.said = make("p", { class: "overview-said", hidden: true });
    container.append(
      make(
        "div",
        { class: "overview", role: "group", "aria-label": text.shown },
        make("div", { class: "overview-buttons" }, ...Object.values(this.buttons)),
        this.said,
      ),
    );
  }

  /** Takes the position to draw on; what is shown is read anew. */
  update(view, look, seat) {
    this.view = view;
    this.look = look;
    this.seat = seat;
    this.buttons.objective.hidden = !view.players[seat]?.objective;
    if (this.shown) this.show();
  }

  /** Handles a key; returns whether it was one of these. */
  onKey(name) {
    const found = Object.keys(KEYS).find((one) => KEYS[one] === name);
    if (!found || this.buttons[found].hidden) return false;
    this.toggle(found);
    return true;
  }

  async toggle(name) {
    this.shown = this.shown === name ? null : name;
    for (const [one, { ariaPressed }] of Object.entries(this.buttons)) {
      if (ariaPressed !== String(one === this.shown)) {
        this.buttons[one].setAttribute("aria-pressed", String(one === this.shown));
      }
    }
    if (!this.shown) {
      this.board.clear("outlines");
      this.said.hidden = true;
      return;
    }
    await this.show();
    announce(this.said.textContent);
  }

  /** Asks the server, and draws its answer unless something else is wanted by then. */
  async show() {
    const wanted = this.shown;
    const found = await this.read().catch(() => null); // drawn with the next position
    if (!found || wanted !== this.shown) return;
    const [shapes, said] = this[wanted](found);
    this.board.show("outlines", ...shapes.flat());
    this.said.textContent = said;
    this.said.hidden = false;
  }

  name(seat) {
    return playerName(this.view.players[seat]);
  }

  color(seat) {
    return this.look.colors.players[seat];
  }

  groups({ groups }) {
    const shapes = groups.map(({ seat, pieces, cells }) => {
      const d = outline(this.board, cells);
      const [x, y] = middle(cells.map((cell) => this.board.pointOf(cell)));
      return [
        makeSvg("path", { d, class: "group-edge" }),
        makeSvg("path", { d, class: "group-line", stroke: this.color(seat) }),
        badge([x, y], String(pieces), 19),
      ];
    });
    const each = new Map(groups.map(({ seat, pieces }) => [seat, pieces]));
    const said = [...each].map(([seat, pieces]) =>
      fill(text.groupPieces, this.name(seat), plural(pieces, text.pieces)));
    return [shapes, said.length ? listed(said) : text.noPieces];
  }

  objective({ objective }) {
    const shapes = objective.map(({ cell, status }) => {
      const [cx, cy] = this.board.pointOf(cell);
      return [
        this.board.polygon(cell, { class: `goal ${status}` }),
        GOAL_SIGNS[status] && badge([cx + 24, cy - 22], GOAL_SIGNS[status], 14, `goal ${status}`),
      ];
    });
    const counted = STATUSES.map((status) => {
      const cities = objective.filter((goal) => goal.status === status).map(({ name }) => name);
      return cities.length ? fill(text.goalCount, text.goals[status], listed(cities)) : null;
    });
    return [[this.shade(objective), ...shapes], counted.filter(Boolean).join(" · ")];
  }

  leagues({ seas }) {
    const shapes = seas.flatMap(({ harbors }) =>
      harbors.map(({ cell, seats }) =>
        seats.length
          ? seats.map((seat, i) => this.holder(cell, seat, i))
          : this.board.polygon(cell, { class: "harbor-free" }),
      ),
    );
    const said = seas.map((sea) => this.seaSaid(sea)).filter(Boolean);
    return [
      [this.shade(seas.flatMap(({ harbors }) => harbors)), ...shapes],
      said.join(" · ") || text.noHarbors,
    ];
  }

  /** Returns a veil over all hexes but some. */
  shade(places) {
    const names = places.map(({ cell }) => key(cell));
    return this.board.data.hexes
      .filter(({ cell }) => !names.includes(key(cell)))
      .map(({ cell }) => this.board.polygon(cell, { class: "shade" }));
  }

  /** Returns the frame of a harbor in its holder's colour; a second holder's lies inside. */
  holder(cell, seat, i) {
    const [x, y] = this.board.pointOf(cell);
    const transform = `translate(${x} ${y}) scale(${0.86 - 0.2 * i}) translate(${-x} ${-y})`;
    return [
      this.board.polygon(cell, { class: "harbor-edge", transform }),
      this.board.polygon(cell, { class: "harbor-held", stroke: this.color(seat), transform }),
    ];
  }

  seaSaid({ name, harbors, leagues }) {
    const seats = this.view.players.map(({ seat }) => seat);
    const counts = seats.map((seat) => harbors.filter((one) => one.seats.includes(seat)).length);
    const parts = seats
      .filter((seat) => counts[seat])
      .map((seat) =>
        leagues.includes(seat)
          ? fill(text.seaLeague, this.name(seat))
          : fill(text.seaCount, this.name(seat), counts[seat]),
      );
    return parts.length ? fill(text.sea, name, listed(parts)) : "";
  }
}
