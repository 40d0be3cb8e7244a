// The board and the panels of a game, drawn by the server for all positions at once.

import { byId, drawn, makeSvg } from "../common/dom.js";

/** Draws positions from the server's tables of layers and elements. */
export class Drawing {
  constructor(content, names) {
    this.content = content;
    this.groups = new Map();
    this.names = names;
    this.board = byId("board");
    this.board.setAttribute("viewBox", `0 0 ${content.board.join(" ")}`);
    const [width, height] = content.panel;
    this.panels = names.map(() =>
      makeSvg("svg", { class: "panel", role: "img", viewBox: `0 0 ${width} ${height}` }),
    );
    // A board that shows the players, too, takes the page's width; its pieces stay readable.
    byId("main").classList.toggle("whole", !content.panels);
    this.board.style.setProperty("--width", content.board[0]);
    byId("panels").replaceChildren(...(content.panels ? this.panels : []));
    this.colors();
  }

  /** Gives the drawings their colours in both themes. */
  colors() {
    const { light, dark } = this.content.styles;
    const style = document.createElement("style");
    style.textContent = `.game{${light}} [data-theme="dark"] .game{${dark}}`;
    document.head.append(style);
  }

  /** Returns a layer as a group, made once for each place where it is shown. */
  group(index, place) {
    const key = `${place}/${index}`;
    if (!this.groups.has(key)) {
      const { layers, elements } = this.content;
      this.groups.set(key, drawn(layers[index].map((element) => elements[element]).join("")));
    }
    return this.groups.get(key);
  }

  /** Shows a position, with marks of the server on the board; `words` say it. */
  show(move, marks, words) {
    const frame = this.content.frames[move];
    const layers = frame.board.map((index) => this.group(index, "board"));
    this.board.replaceChildren(...layers, drawn(marks, { class: "marks" }));
    this.board.setAttribute("aria-label", words);
    this.panels.forEach((panel, seat) => {
      panel.replaceChildren(this.group(frame.panels[seat], seat));
      panel.setAttribute("aria-label", this.names[seat]);
    });
  }
}
