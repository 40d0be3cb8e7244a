// The log: what happened, line by line, the newest last.

import { fill, words } from "../words/index.js";
import { button, drawn, make, makeSvg } from "./dom.js";
import { lineWords } from "./events.js";
import { playerName } from "./words.js";

const NEWEST = 60; // lines that the page holds; the earlier ones are shown on demand

/** A log in a container; a line that `seat` is about bears its crest and name. */
export class Log {
  constructor(container) {
    this.list = make("ol", { class: "log" });
    this.container = container;
    this.more = button("", () => this.showEarlier(), { class: "small earlier", hidden: true });
    container.append(this.more, this.list);
    this.moves = new Map(); // lines by move
    this.earlier = []; // elements of lines that are folded away
    this.whole = false;
    // The turn above takes room from the log, or gives it back.
    new ResizeObserver(() => this.showNewest()).observe(container);
  }

  /** Adds the lines of a move, once. */
  add(move, lines, view, board) {
    if (this.moves.has(move) || !lines.length) return;
    this.moves.set(move, lines);
    this.list.append(...lines.map((line) => this.line(line, view, board)));
    if (!this.whole) this.fold();
    this.showNewest();
  }

  fold() {
    const old = [...this.list.children].slice(0, -NEWEST);
    for (const line of old) line.remove();
    this.earlier.push(...old);
    this.more.hidden = !this.earlier.length;
    this.more.textContent = fill(words.table.earlier, this.earlier.length);
  }

  /** Shows the lines that are folded away; what is read stays where it is. */
  showEarlier() {
    const below = this.container.scrollHeight - this.container.scrollTop;
    this.whole = true;
    this.list.prepend(...this.earlier.splice(0));
    this.more.hidden = true;
    this.container.scrollTop = this.container.scrollHeight - below;
    this.container.focus({ preventScroll: true });
  }

  showNewest() {
    this.container.scrollTop = this.container.scrollHeight;
  }

  /** Forgets all lines: the history has changed. */
  clear() {
    this.moves.clear();
    this.list.replaceChildren();
    this.earlier = [];
    this.more.hidden = true;
    this.crests?.remove();
    this.crests = null;
  }

  /** Returns a seat's crest; all lines use one drawing of it. */
  crest(seat, board) {
    if (!this.crests) {
      const symbols = board.crests.map((markup, i) => makeSvg("symbol", { id: `crest-${i}` }, drawn(markup)));
      this.crests = makeSvg("svg", { width: 0, height: 0, style: "position: absolute", "aria-hidden": "true" }, ...symbols);
      this.container.append(this.crests);
    }
    const attributes = { viewBox: "0 0 40 40", width: 16, height: 16, class: "crest", "aria-hidden": "true" };
    return makeSvg("svg", attributes, makeSvg("use", { href: `#crest-${seat}` }));
  }

  line(line, view, board) {
    const { seat, text, event } = line;
    if (seat === null) return make("li", { class: "all" }, lineWords(line, view));
    return make(
      "li",
      { title: event?.cells ? text : null }, // as records write it
      this.crest(seat, board),
      make("b", {}, playerName(view.players[seat])),
      ` ${lineWords(line, view)}`,
    );
  }
}

/** Returns a line as a sentence, the player's name before it. */
const sentence = (line, view) =>
  line.seat === null
    ? lineWords(line, view)
    : `${playerName(view.players[line.seat])} ${lineWords(line, view)}`;

/** Returns lines as one text for screen readers. */
export const spoken = (lines, view) => lines.map((line) => sentence(line, view)).join(". ");
