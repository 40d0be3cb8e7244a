// The coach's box: on until it is switched off, and a single line where the window is low.

import { button, make } from "../common/dom.js";
import { keepSetting, setting } from "../common/storage.js";
import { words } from "../words/index.js";

const { learn } = words;

export class CoachBox {
  /** `onSwitch()` is called when it was switched; it says again what there is to say. */
  constructor(container, switcher, onSwitch) {
    this.container = container;
    this.switcher = switcher;
    this.onSwitch = onSwitch;
    this.text = make("p", { class: "advice" });
    const off = { class: "small", "aria-label": learn.coachOff, title: learn.coachOff };
    this.more = button("…", () => this.unfold(!this.unfolded), {
      class: "small more",
      "aria-label": learn.coachMore,
      title: learn.coachMore,
    });
    const title = make("b", {}, learn.coachTitle);
    container.replaceChildren(button("×", () => this.set(false), off), this.more, title, this.text);
    switcher.addEventListener("click", () => this.set(!this.on));
    this.unfold(false);
  }

  get on() {
    return setting("coach", true);
  }

  set(on) {
    keepSetting("coach", on);
    this.onSwitch();
  }

  /** Shows the whole advice where the window is low, or its first line. */
  unfold(unfolded) {
    this.unfolded = unfolded;
    this.container.classList.toggle("unfolded", unfolded);
    this.more.setAttribute("aria-expanded", String(unfolded));
  }

  /** Shows an advice, text or elements; without one, or switched off, the box is hidden. */
  show(advice) {
    this.switcher.setAttribute("aria-pressed", String(this.on));
    this.container.hidden = !advice || !this.on;
    if (advice && this.said !== String(advice)) {
      this.text.replaceChildren(...[advice].flat());
      this.said = String(advice);
      this.unfold(false);
    }
  }
}
