// Keys of the table, and the dialogs of help and rules.

import { blur, byId } from "../common/dom.js";
import { followRules, showRules } from "../common/rules.js";

const TYPING = "input:not([type=radio]):not([type=checkbox]), select, textarea";

/** Sends keys to what they are for: dialogs, hints, playback, then the choice of the turn. */
export class Keys {
  constructor(page) {
    this.page = page;
    document.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("click", (event) => this.afterClick(event));
    byId("help-button").addEventListener("click", () => byId("help").showModal());
    byId("rules-button").addEventListener("click", () => showRules(page.game.name));
    followRules();
    for (const close of document.querySelectorAll("dialog [data-close]")) {
      close.addEventListener("click", () => close.closest("dialog").close());
    }
  }

  /** Leaves a button that the mouse has pressed: Enter then confirms, as the page says. */
  afterClick({ detail }) {
    const { activeElement } = document;
    if (detail > 0 && activeElement.matches("button") && !activeElement.closest("dialog")) blur();
  }

  onKey(event) {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.repeat && key === "Enter") return; // it would play on while it is held
    if (document.querySelector("dialog[open]")) return;
    if (target.matches(TYPING)) return;
    // A focused button or link does what it says.
    if (["Enter", " "].includes(key) && target.matches("button, a, summary")) return;
    if (key === " " && target.matches("input")) return;
    const { board } = this.page;
    const onBoard = target === board?.svg && board.cursorIsShown;
    if (this.common(key) || this.page.choice?.onKey(key, onBoard)) event.preventDefault();
  }

  toMap() {
    this.page.board.svg.focus();
    this.page.board.showCursor();
  }

  common(key) {
    const { page } = this;
    if (key === "?") byId("help").showModal();
    else if (key === "s") page.playback.skip();
    else if (key === "h" && page.choice) page.hints.show();
    else if (page.onKey(key)) return true;
    else if (!page.board) return false;
    else if (key === "m") this.toMap();
    else if (key === "+") page.board.setZoom(page.board.zoom * 1.5);
    else if (key === "-") page.board.setZoom(page.board.zoom / 1.5);
    else return false;
    return true;
  }
}
