// The log: what happened, line by line, the newest last.

import { make } from "./dom.js";
import { lineWords } from "./events.js";
import { boxPicture } from "./shapes.js";
import { playerName } from "./words.js";

/** A log in a container; a line that `seat` is about bears its crest and name. */
export class Log {
  constructor(container) {
    this.list = make("ol", { class: "log" });
    this.container = container;
    container.append(this.list);
    this.moves = new Map(); // lines by move
    // The turn above takes room from the log, or gives it back.
    new ResizeObserver(() => this.showNewest()).observe(container);
  }

  /** Adds the lines of a move, once. */
  add(move, lines, view, board) {
    if (this.moves.has(move) || !lines.length) return;
    this.moves.set(move, lines);
    this.list.append(...lines.map((line) => this.line(line, view, board)));
    this.showNewest();
  }

  showNewest() {
    this.container.scrollTop = this.container.scrollHeight;
  }

  /** Forgets all lines: the history has changed. */
  clear() {
    this.moves.clear();
    this.list.replaceChildren();
  }

  line(line, view, board) {
    const { seat, text, event } = line;
    if (seat === null) return make("li", { class: "all" }, lineWords(line, view));
    return make(
      "li",
      { title: event?.cells ? text : null }, // as records write it
      boxPicture(board.crests[seat], 16),
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
