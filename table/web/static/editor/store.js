// What the page holds: the model, what is selected, and the steps to undo. It survives the tab.

const KEY = "gonzaga-editor";
const MAX_STEPS = 300;

export class Store {
  constructor() {
    this.model = null;
    this.answer = { faults: [], number: 0, symbols: {} }; // of the last check
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
    if (gesture === null || gesture !== this.gesture) this.past.push(before);
    if (this.past.length > MAX_STEPS) this.past.shift();
    this.gesture = gesture;
    this.future = [];
    this.keep();
    this.changed(true);
  }

  /** Holds another edition; the former one can be undone to. */
  load(model) {
    if (this.model) this.past.push(JSON.stringify(this.model));
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
    to.push(JSON.stringify(this.model));
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
      localStorage.setItem(KEY, JSON.stringify(this.model));
    } catch { // storage may be full or switched off
      this.say("This browser keeps nothing here. Save before you leave the page.");
    }
  }

  /** Returns the model that was kept; null if there is none. */
  static kept() {
    try {
      return JSON.parse(localStorage.getItem(KEY));
    } catch {
      return null;
    }
  }
}
