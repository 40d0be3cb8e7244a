// The coach: what helps with a decision, by its kind, with links to the rules.

import { button, make } from "../common/dom.js";
import { withRules } from "../common/rules.js";
import { keepSetting, setting } from "../common/storage.js";
import { words } from "../words/index.js";

/** The coach's box. It is on until it is switched off, like Gonzaga's. */
export class Coach {
  constructor(container, switcher) {
    this.container = container;
    this.switcher = switcher;
    this.text = make("p");
    const off = { class: "small", "aria-label": words.picture.coachOff, title: words.picture.coachOff };
    container.replaceChildren(
      button("×", () => this.set(false), off),
      make("b", {}, words.picture.coach),
      this.text,
    );
    switcher.addEventListener("click", () => this.set(!this.on));
  }

  get on() {
    return setting("coach", true);
  }

  set(on) {
    keepSetting("coach", on);
    this.say(this.advice);
  }

  /** Says an advice; without one the box is hidden. */
  say(advice) {
    this.advice = advice;
    this.switcher.setAttribute("aria-pressed", String(this.on));
    this.container.hidden = !advice || !this.on;
    if (advice !== this.said) this.text.replaceChildren(...withRules(advice ?? ""));
    this.said = advice;
  }
}
