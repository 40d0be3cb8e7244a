// What lies on the table, in blocks that the server draws: those of each seat, and the common ones.

import { byId, drawn, make, makeSvg, still } from "../common/dom.js";
import { translator } from "../common/said.js";
import { boxPicture } from "../common/shapes.js";
import { playerName } from "../common/words.js";
import { fill, plural, words } from "../words/index.js";
import { Reveal } from "./reveal.js";
import { boxOf, cropped, land, lift } from "./slide.js";
import { placeAt, pointIn, Tips } from "./tips.js";

const keyOf = ({ block, name = block, seat }) => `${name}/${seat ?? ""}`;

/** The blocks in a container, the own ones first, then the common ones. */
export class Blocks {
  constructor(container, own) {
    this.container = container;
    this.own = own;
    this.first = null; // the seat whose blocks are large
    this.svgs = new Map();
    this.lists = new Map(); // what the drawings show, for people who do not see them
    this.groups = new Map();
    this.places = new Map(); // what is told of pieces, by block
    this.refused = [];
    this.reveal = new Reveal(container.closest(".map"));
    this.tips = new Tips(container, (svg, at) => this.told(svg, at));
    container.addEventListener("click", (event) => this.onClick(event));
  }

  /** Shows a position: blocks without a drawing stay as they are. */
  show(frame, look) {
    const { blocks, view } = frame;
    if (!this.groups.size) this.lay(blocks, view.players.length);
    this.draw(blocks);
    this.kept = new Map([...(this.kept ?? []), ...blocks.filter((b) => b.svg).map((b) => [keyOf(b), b])]);
    for (const [seat, group] of this.groups) this.head(group, view, seat, look);
  }

  /** Makes two columns: the own group, and the common blocks and the others' groups. */
  lay(blocks, numPlayers) {
    const seats = [...Array(numPlayers).keys()];
    const order = this.own === null ? seats : [...seats.slice(this.own), ...seats.slice(0, this.own)];
    this.first = order[0];
    this.columns = ["large", "beside"].map((name) => make("div", { class: `column ${name}` }));
    this.container.replaceChildren(...this.columns);
    this.container.style.setProperty("--others", String(numPlayers - 1));
    this.container.classList.toggle("several", numPlayers > 2);
    const common = (below) => blocks.filter((one) => one.seat === null && one.below === below);
    const of = (seat) => blocks.filter((one) => one.seat === seat);
    this.add(0, this.first, of(this.first));
    this.add(0, null, common(true));
    this.add(1, null, common(false));
    for (const seat of order.slice(1)) this.add(1, seat, of(seat));
  }

  /** Adds a group of blocks to a column. */
  add(column, seat, blocks) {
    if (!blocks.length) return;
    const row = make("div", { class: "row", role: "group" });
    for (const block of blocks) {
      const svg = makeSvg("svg", { class: "block", "aria-hidden": "true", "data-key": keyOf(block) });
      const name = translator.label(block.name);
      const list = make("ul", { class: "hidden", "aria-label": name, "data-name": name });
      this.svgs.set(keyOf(block), svg);
      this.lists.set(keyOf(block), list);
      row.append(svg, list);
    }
    const attributes = { class: `group${seat === this.own ? " own" : ""}`, "data-seat": seat };
    const group = make("section", attributes, seat === null ? "" : make("header"), row);
    this.columns[column].append(group);
    if (seat !== null) this.groups.set(seat, group);
  }

  /** Draws those blocks that have a drawing, without what was marked on them. */
  draw(blocks) {
    for (const block of blocks.filter((one) => one.svg)) {
      const svg = this.svgs.get(keyOf(block));
      svg.setAttribute("viewBox", `0 0 ${block.width} ${block.height}`);
      svg.style.setProperty("--width", block.width);
      svg.style.setProperty("--ratio", block.width / block.height);
      const marks = svg.querySelector(".marks") ?? makeSvg("g", { class: "marks" });
      const trail = svg.querySelector(".trail") ?? makeSvg("g", { class: "trail" });
      svg.replaceChildren(drawn(block.svg), trail, marks);
      this.places.set(keyOf(block), block.places ?? []);
      this.lists.get(keyOf(block)).replaceChildren(...block.lines.map((line) => make("li", { lang: "en" }, line)));
    }
  }

  /** Draws blocks for a look at what would be; `restore` takes that back. */
  preview(blocks) {
    this.draw(blocks);
    this.previewed = blocks.filter((one) => one.svg).map(keyOf);
  }

  restore() {
    this.draw((this.previewed ?? []).map((key) => this.kept.get(key)));
    this.previewed = [];
  }

  head(group, view, seat, look) {
    const player = view.players[seat];
    const acts = view.to_act === seat;
    const notes = [
      seat === this.own ? words.picture.you : null,
      player.won ? words.picture.winner : null,
      acts ? words.picture.acts : null,
    ].filter(Boolean);
    for (const list of group.querySelectorAll("ul")) {
      list.setAttribute("aria-label", fill(words.picture.blockOf, list.dataset.name, playerName(player)));
    }
    group.querySelector(".row").setAttribute("aria-label", playerName(player));
    group.classList.toggle("acts", acts);
    group.style.setProperty("--player", look.colors.players[seat]);
    group.querySelector("header").replaceChildren(
      boxPicture(look.crests[seat], 22),
      make("h2", {}, playerName(player)),
      make("span", { class: "note" }, notes.join(" · ")),
    );
  }

  /**
   * Marks places that can be chosen: `{block, seat, points, actions}`; `pick(actions)` is called
   * with the actions of the one that is clicked.
   */
  setSpots(spots, pick, refused = [], refuse = null) {
    this.refused = refused;
    this.refuse = refuse;
    for (const svg of this.svgs.values()) svg.querySelector(".marks")?.replaceChildren();
    this.spots = spots.map((spot) => {
      const polygon = makeSvg("polygon", {
        points: spot.points,
        class: "spot",
        "data-actions": spot.actions.join(" "),
        onclick: (event) => pick(spot.actions, event),
      });
      this.svgs.get(keyOf(spot))?.querySelector(".marks")?.append(polygon);
      return { ...spot, polygon };
    });
  }

  /** Shows only the places of some actions, and those that are picked first; null shows all. */
  limit(actions) {
    for (const spot of this.spots ?? []) {
      const fits = !actions || spot.first || spot.actions.some((one) => actions.includes(one));
      spot.polygon.classList.toggle("off", !fits);
    }
  }

  /** Returns what a place shows, such as a die, as a drawing of its own. */
  picture(spot) {
    return cropped(this.svgs.get(keyOf(spot)), boxOf(spot.points));
  }

  // What is told of pieces, and why they cannot be chosen.

  refusalAt(svg, at) {
    const here = this.refused.filter((one) => keyOf(one) === svg.dataset.key);
    return placeAt(here.map(({ box, why }) => [...box, why]), at)?.[4];
  }

  told(svg, at) {
    const place = placeAt(this.places.get(svg.dataset.key) ?? [], at);
    const why = this.refusalAt(svg, at);
    return [place?.[4], why && fill(words.picture.notNow, why)].filter(Boolean);
  }

  onClick(event) {
    const svg = event.target.closest("svg.block");
    const why = svg && !event.target.closest(".spot") && this.refusalAt(svg, pointIn(svg, event));
    if (why) this.refuse?.(why);
  }

  // What has just been moved.

  /** Takes up the piece that a move is about, as it lies before the move is drawn. */
  lift(moved) {
    const svg = moved.length ? this.svgs.get(keyOf(moved[0])) : null;
    return svg?.isConnected ? lift(svg, moved[0].points) : null;
  }

  /** Lets it slide to where it has been moved, or to its player. */
  land(lifted, moved, seat, factor) {
    const to = moved[1];
    const group = this.groups.get(seat);
    if (to) land(lifted, this.svgs.get(keyOf(to)), to.points, factor);
    else if (group && moved[0].seat === null) land(lifted, group.querySelector("header"), null, factor);
  }

  /** Outlines what has been moved: `{block, seat, points, color}`. */
  setTrail(places) {
    for (const svg of this.svgs.values()) svg.querySelector(".trail")?.replaceChildren();
    for (const { points, color, ...place } of places) {
      const outline = makeSvg("polygon", { points, style: `--player: ${color}` });
      this.svgs.get(keyOf(place))?.querySelector(".trail")?.append(outline);
    }
  }

  /** Shows the boards of a player large, or one's own for null. */
  lookAt(seat) {
    const large = seat ?? this.first;
    for (const [owner, group] of this.groups) {
      if (owner === large) this.columns[0].prepend(group);
      else this.columns[1].append(group);
    }
    this.container.closest(".map").scrollTop = 0;
  }

  /** Brings the block with the place of an action into view. */
  revealPlace(action) {
    const place = this.best(action)?.polygon;
    place?.ownerSVGElement.scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });
  }

  /** Returns the place that says most about an action, if there is any. */
  best(action) {
    const fitting = (this.spots ?? []).filter((spot) => spot.actions.includes(action));
    return fitting.sort((a, b) => a.actions.length - b.actions.length)[0];
  }

  /** Gives a class to the places of an action, and takes it from all others. */
  mark(style, action) {
    for (const { actions, polygon } of this.spots ?? []) {
      polygon.classList.toggle(style, actions.includes(action));
    }
  }

  /** Writes a number at the place that says most about each action. */
  number(actions) {
    for (const old of document.querySelectorAll(".marks .badge")) old.remove();
    const used = new Set();
    actions.forEach((action, i) => {
      const place = this.best(action)?.polygon;
      if (!place || used.has(place)) return;
      used.add(place);
      const { x, y, width, height } = place.getBBox();
      const wide = width > 3 * height; // a line of text stays readable
      const [cx, cy] = [wide ? x + width - 18 : x + width / 2, y + height / 2];
      const disc = makeSvg("circle", { cx, cy, r: 13 });
      const number = makeSvg("text", { x: cx, y: cy + 6 }, String(i + 1));
      place.parentNode.append(makeSvg("g", { class: "badge hint-badge" }, disc, number));
    });
  }
}

/** Returns a player's counts, such as `[["red", 12], ["green", 5]]`, as elements. */
export const tallyWords = (tallies) =>
  tallies.map(([name, number]) => {
    const said = words.picture.tallies[name] ?? name;
    const word = typeof said === "string" ? said : plural(number, said);
    return make("span", { class: "tally", "data-of": name }, make("b", {}, String(number)), ` ${word}`);
  });

/** Says what the page shows, where that is no printed edition. */
export function setNote(look) {
  byId("reconstruction").hidden = !look.reconstruction;
  byId("reconstruction").textContent = fill(words.picture.reconstruction, look.title);
}
