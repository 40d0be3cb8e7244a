// One turn: legal actions in groups and on the board, the choice, and its confirmation.

import { announce, button, make, makeSvg, once } from "../common/dom.js";
import { withRules } from "../common/rules.js";
import { translator } from "../common/said.js";
import { undoButton } from "../table/undo.js";
import { fill, words } from "../words/index.js";
import { byWords, details, groupsOf, steps, withWord } from "./groups.js";

const own = words.picture;
const TWICE = 350; // milliseconds between the clicks of a double click

/** Returns a word of an action's text for people: "A'" is a board that is turned, "+-" how boards join. */
const readable = (word) =>
  /^[+-]+$/.test(word)
    ? [...word].map((joint) => own.joints[joint]).join(", ")
    : word.replace("'", ` ${own.turned}`);

/** Returns how boards join, such as "+-", as a small drawing of them; null for other words. */
function joint(word) {
  if (!/^[+-]+$/.test(word)) return null;
  const steps = [...word].map((joint) => (joint === "+" ? 1 : -1));
  const downs = [0, ...steps].map((_, i) => steps.slice(0, i).reduce((sum, one) => sum + one, 0));
  const top = Math.min(...downs);
  const d = downs.map((down, i) => `M${1 + 16 * i},${1 + 8 * (down - top)}h16v24h-16z`).join("");
  const attributes = { viewBox: `0 0 ${2 + 16 * downs.length} 42`, class: "joined", "aria-hidden": "true" };
  return makeSvg("svg", attributes, makeSvg("path", { d }));
}

/** The choice of one action. `play(action)` is called when it is confirmed. */
export class Choices {
  constructor({ turn, title, blocks, takeBack, play, preview, tools, quick }) {
    this.turn = turn;
    this.title = title;
    this.blocks = blocks;
    this.takeBack = takeBack;
    this.play = play;
    this.preview = preview;
    this.tools = tools; // buttons beside those of the turn
    this.quick = quick; // whether one click plays
    this.opened = performance.now();
    this.chosen = null;
    this.only = null;
    this.warned = null; // what is asked before what is chosen is played
    this.pictures = new Map(Object.entries(turn.shown).map(([word, place]) => [word, this.pictureOf(place)]));
  }

  /** Returns what a place shows, without its names. */
  pictureOf(place) {
    const picture = this.blocks.picture(place);
    for (const text of picture.querySelectorAll("text")) text.remove();
    picture.setAttribute("class", "piece-picture");
    return picture;
  }

  open(panel) {
    this.said = make("p", { class: "choice", id: "choice" });
    this.confirm = button(own.play, once(() => this.submit()), { class: "primary", id: "confirm" });
    this.undo = undoButton(this);
    this.list = make("div", { class: "groups" });
    panel.replaceChildren(
      make("div", { class: "buttons deciding" }, this.confirm, this.undo, this.said),
      make("h2", {}, this.title),
      make("div", { class: "buttons switches" }, ...this.tools),
      this.list,
    );
    const pick = (actions, event) => this.pick(actions, event);
    this.blocks.setSpots(this.turn.spots, pick, this.turn.refused, (why) => this.refuse(why));
    this.fill();
    this.say();
    requestAnimationFrame(() => this.blocks.reveal.show()); // when the coach has its place
  }

  /** Lists the choices, or those of a place that was clicked; what is picked first is drawn. */
  fill() {
    const later = new Set(this.firsts().flatMap(({ actions }) => actions));
    const listed = this.turn.choices.filter(({ action }) =>
      this.only ? this.only.includes(action) : !later.has(action),
    );
    const groups = groupsOf(listed).map((group) => this.group(group));
    const all = button(own.showAll, () => this.cancel(), { class: "small" });
    this.list.replaceChildren(this.tray(), ...groups, this.only && !later.size ? all : "");
    this.blocks.limit(this.only);
  }

  /** Returns the places that are picked before what is done with them, alike ones once. */
  firsts() {
    const found = this.turn.spots.filter(({ first }) => first);
    return [...new Map(found.map((spot) => [spot.actions.join(), spot])).values()];
  }

  /** Returns them as large buttons, such as the dice. */
  tray() {
    const buttons = this.firsts().map((spot) => {
      const name = this.choiceOf(spot.actions[0]).text.split(" ").slice(0, 2).join(" ");
      const label = fill(own.first, translator.label(name), spot.actions.length);
      const pressed = this.only?.join() === spot.actions.join();
      const said = make("span", { class: "hidden" }, label);
      const one = button("", () => this.pickFirst(spot.actions), {
        class: "first",
        title: label,
        "aria-pressed": String(pressed),
      });
      one.append(this.blocks.picture(spot), said);
      return one;
    });
    const attributes = { class: "tray", role: "group", "aria-label": own.firstOf };
    return buttons.length ? make("div", attributes, ...buttons) : "";
  }

  /** Shows what can be done with a die or another place; for keys, goes there. */
  pickFirst(actions) {
    const byKeys = this.list.contains(document.activeElement);
    const again = this.only?.join() === actions.join();
    this.cancel();
    if (again) return;
    this.only = actions;
    this.fill();
    this.say();
    announce(fill(own.choicesHere, actions.length));
    if (byKeys) this.list.querySelector(".option")?.focus();
  }

  /** Says why a place cannot be chosen now. */
  refuse(why) {
    this.said.classList.add("missing");
    this.said.replaceChildren(...withRules(fill(own.notNow, why)));
    announce(fill(own.notNow, why));
  }

  group({ title, choices }) {
    const options = byWords(choices) ? this.words(choices) : [this.row(choices.map((one) => this.option(one)))];
    const head = title ? make("h3", {}, title) : null;
    return make("section", { class: "choices-group", "aria-label": title || own.actions }, head, ...options);
  }

  row(options) {
    return make("div", { class: "options" }, ...options);
  }

  option({ action, label }) {
    const hover = (value) => () => this.blocks.mark("hot", value);
    return button(label, (event) => this.pick([action], event), {
      class: "option",
      "data-action": action,
      "aria-pressed": String(this.chosen?.action === action),
      onpointerenter: hover(action),
      onpointerleave: hover(null),
      onfocus: hover(action),
      onblur: hover(null),
    });
  }

  /** Returns a word of an action's text as a picture, if there is one. */
  pictured(word) {
    const picture = this.pictures.get(word.replace("'", ""))?.cloneNode(true);
    picture?.classList.toggle("turned", word.endsWith("'"));
    return picture ?? joint(word) ?? readable(word);
  }

  /** Returns a row of buttons for each word of many choices. */
  words(choices) {
    const now = this.chosen ? details(this.chosen) : [];
    const note = make("p", { class: "quiet" }, own.rowByRow);
    const rows = steps(choices, this.chosen).map((words, i) =>
      this.row(
        words.map((word) =>
          button(this.pictured(word), () => this.choose(withWord(choices, this.chosen, i, word)), {
            class: "option",
            "aria-label": readable(word),
            title: readable(word),
            "aria-pressed": String(now[i] === word),
          }),
        ),
      ),
    );
    return [note, ...rows];
  }

  /**
   * Takes the actions of a place or a button: one is chosen, the same one again is played. The
   * second click of a double click does nothing.
   */
  pick(actions, event) {
    if (event?.detail > 1 || (this.quick && performance.now() - this.opened < TWICE)) return;
    if (this.chosen && actions.includes(this.chosen.action)) this.submit();
    else if (actions.length === 1) {
      this.choose(this.choiceOf(actions[0]));
      if (this.quick) this.submit();
    } else this.pickFirst(actions);
  }

  choiceOf(action) {
    return this.turn.choices.find((choice) => choice.action === action);
  }

  choose(choice) {
    this.chosen = choice;
    this.warned = null;
    const first = this.firsts().find(({ actions }) => actions.includes(choice.action));
    if (first && !this.only) {
      this.only = first.actions; // of a hint
      this.fill();
    }
    if (byWords(this.turn.choices) && !this.only) this.fillAgain();
    for (const one of this.list.querySelectorAll("[data-action]")) {
      one.setAttribute("aria-pressed", String(Number(one.dataset.action) === choice.action));
    }
    this.blocks.mark("picked", choice.action);
    this.blocks.revealPlace(choice.action);
    if (this.turn.previewed) this.preview(choice.action);
    this.say();
    announce(fill(own.chosen, choice.words));
  }

  /** Lists the choices anew; the focus stays where it was. */
  fillAgain() {
    const place = this.buttons().indexOf(/** @type {any} */ (document.activeElement));
    this.fill();
    if (place >= 0) this.buttons()[place]?.focus();
  }

  chooseAction(action) {
    const choice = this.choiceOf(action);
    if (choice) this.choose(choice);
  }

  cancel() {
    this.chosen = null;
    this.warned = null;
    this.only = null;
    this.blocks.mark("picked", null);
    this.blocks.restore();
    this.fill();
    this.say();
  }

  /** Whether something is chosen that Undo would take back before what was played. */
  get pending() {
    return Boolean(this.chosen || this.only);
  }

  submit() {
    if (!this.chosen) return;
    const { warning } = this.chosen;
    if (this.warned || !warning) {
      this.play(this.chosen.action);
      return;
    }
    this.warned = fill(own.warned, warning[0].toUpperCase() + warning.slice(1));
    this.say();
    announce(this.warned);
  }

  say() {
    this.confirm.disabled = !this.chosen;
    this.confirm.textContent = this.warned ? own.anyway : own.play;
    this.said.classList.toggle("missing", Boolean(this.warned));
    this.undo.disabled = !this.pending && !this.takeBack;
    this.confirm.setAttribute("aria-keyshortcuts", "Enter");
    const open = this.quick ? own.details : this.only ? own.chooseOne : own.choose;
    this.said.textContent = this.warned ?? this.chosen?.words ?? open;
  }

  // Keys.

  /** @returns {HTMLButtonElement[]} */
  buttons() {
    return [...this.list.querySelectorAll("button")];
  }

  /** Handles a key; returns whether it was one of the choice's. */
  onKey(name) {
    if (name === "Enter") this.submit();
    else if (name === "Escape") this.cancel();
    else if (name === "n" || name === "ArrowDown" || name === "ArrowRight") this.walk(1);
    else if (name === "p" || name === "ArrowUp" || name === "ArrowLeft") this.walk(-1);
    else if (/^[a-z0-9]$/i.test(name)) return this.jump(name.toLowerCase());
    else return false;
    return true;
  }

  /** Moves the focus to the next or last choice; Play stands behind the last one. */
  walk(step) {
    const buttons = [...this.buttons(), ...(this.chosen ? [this.confirm] : [])];
    const now = buttons.indexOf(/** @type {any} */ (document.activeElement));
    const next = now < 0 ? (step > 0 ? 0 : buttons.length - 1) : now + step;
    buttons[(next + buttons.length) % buttons.length]?.focus();
  }

  /** Moves the focus to the next choice that begins with a letter; its title counts too. */
  jump(letter) {
    const begins = (one) => {
      const title = one.closest("section")?.querySelector("h3")?.textContent ?? "";
      const first = one.previousElementSibling ? "" : title;
      return [one.textContent, first].some((text) => text.toLowerCase().startsWith(letter));
    };
    const buttons = this.buttons();
    const now = buttons.indexOf(/** @type {any} */ (document.activeElement));
    const later = [...buttons.slice(now + 1), ...buttons.slice(0, now + 1)];
    const found = later.find(begins);
    found?.focus();
    return Boolean(found);
  }

  close() {
    this.blocks.restore();
    this.blocks.reveal.back();
    this.blocks.setSpots([], () => {});
  }
}
