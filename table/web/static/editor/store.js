// What the page holds: the model, what is selected, and the steps to undo. The model survives the tab.

import { words } from "../words/index.js";

const MAX_STEPS = 300;
const MAX_LETTERS = 20_000_000; // of all steps to undo together

/** Adds a step to a history; the oldest steps are dropped where it has too many or too long ones. */
export function push(steps, text, most = MAX_STEPS, letters = MAX_LETTERS) {
  steps.push(text);
  let size = steps.reduce((sum, step) => sum + step.length, 0);
  while (steps.length > 1 && (steps.length > most || size > letters)) size -= steps.shift().length;
}

export class Store {
  constructor() {
    this.model = null;
    this.answer = { faults: [], number: 0, warnings: [], symbols: {} }; // of the last check
    this.look = null; // colours and icons
    this.ui = {
      tab: "map",
      tool: "terrain",
      brush: "H", // a mark
      size: "one", // one hex, seven, or the whole area
      selected: null, // index of a city or harbor, by the tool
      barrier: 0,
      cursor: [0, 0],
      flash: [], // cells
      zoom: 1,
    };
    this.past = [];
    this.future = [];
    /** @type {import("./drafts.js").Draft | null} */
    this.draft = null; // where the model is kept
    this.gesture = null;
    this.listeners = [];
    // The page shows messages, and gives the focus to what has a key.
    /** @type {(text: string) => void} */
    this.say = () => {};
    /** @type {(key: string) => void} */
    this.focus = () => {};
    this.generation = 0; // grows when the model is exchanged as a whole
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  /** Tells all listeners; `edited` says whether the model has changed. */
  changed(edited = false) {
    this.listeners.forEach((listener) => listener(edited));
  }

  /** Selects something, which is not a step to undo. */
  show(ui) {
    Object.assign(this.ui, ui);
    this.changed();
  }

  /** Changes the model; edits of the same gesture are one step to undo. */
  edit(change, gesture = null) {
    const before = JSON.stringify(this.model);
    change(this.model);
    if (JSON.stringify(this.model) === before) return this.changed();
    if (gesture === null || gesture !== this.gesture) push(this.past, before);
    this.gesture = gesture;
    this.future = [];
    this.keep();
    this.changed(true);
  }

  /** Holds another edition as a draft of its own; the former one can be undone to. */
  load(model) {
    if (this.model) push(this.past, JSON.stringify(this.model));
    this.draft?.renew();
    this.model = model;
    this.future = [];
    this.forget();
    this.keep();
    this.changed(true);
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  step(from, to) {
    if (!from.length) return;
    push(to, JSON.stringify(this.model));
    this.model = JSON.parse(from.pop());
    this.forget();
    this.keep();
    this.changed(true);
  }

  forget() {
    this.gesture = null;
    this.generation += 1;
    Object.assign(this.ui, { selected: null, barrier: 0, flash: [] });
  }

  keep() {
    try {
      this.draft?.keep(this.model);
    } catch { // storage may be full or switched off
      this.say(words.editor.keepsNothing);
    }
  }
}
