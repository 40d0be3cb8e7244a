// The log: what happened, line by line, the newest last.

import { make } from "./dom.js";
import { boxPicture } from "./shapes.js";
import { lineWords, playerName } from "./words.js";

/** A log in a container; a line that `seat` is about bears its crest and name. */
export class Log {
  constructor(container) {
    this.list = make("ol", { class: "log" });
    this.container = container;
    container.append(this.list);
    this.moves = new Set();
  }

  /** Adds the lines of a move, once. */
  add(move, lines, view, board) {
    if (this.moves.has(move) || !lines.length) return;
    this.moves.add(move);
    this.list.append(...lines.map((line) => this.line(line, view, board)));
    this.container.scrollTop = this.container.scrollHeight;
  }

  line({ seat, text }, view, board) {
    if (seat === null) return make("li", { class: "all" }, text);
    return make(
      "li",
      { title: text },
      boxPicture(board.crests[seat], 16),
      make("b", {}, playerName(view.players[seat])),
      ` ${lineWords(text)}`,
    );
  }
}

/** Returns lines as one sentence for screen readers. */
export const spoken = (lines, view) =>
  lines
    .map(({ seat, text }) =>
      seat === null ? text : `${playerName(view.players[seat])} ${lineWords(text)}`,
    )
    .join(". ");
