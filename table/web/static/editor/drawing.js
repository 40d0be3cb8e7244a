// When the page is drawn: at once, unless that would replace something that is just being used.

const FIELDS = "main input[type=text], #name";

/** Draws when asked, but not while a button is pressed, a text is typed or a list is open.
 *
 * A text field that is left reports its text before the click or the focus arrives elsewhere;
 * drawing then would take away the place where it arrives. And the answer of a check may come
 * while a text is typed. */
export class Drawing {
  constructor(draw) {
    this.draw = draw;
    this.reasons = new Map(); // why drawing waits -> when that began, as a count
    this.begun = 0;
    this.waiting = false;
    const on = (name, listener) => document.addEventListener(name, listener, true);
    on("input", ({ target }) => target.matches(FIELDS) && this.wait("field"));
    on("pointerdown", ({ target }) => {
      if (target.closest("#map")) return;
      this.wait("press");
      if (target.matches("main select")) this.wait("field");
    });
    on("change", () => {
      this.wait("change");
      this.later("change");
      this.later("field");
    });
    on("focusout", () => this.later("field"));
    for (const name of ["pointerup", "pointercancel"]) on(name, () => this.later("press"));
  }

  ask() {
    this.waiting = this.reasons.size > 0;
    if (!this.waiting) this.draw();
  }

  wait(reason) {
    this.reasons.set(reason, (this.begun += 1));
  }

  /** Forgets a reason to wait, after the click or focus that may follow; not if it began again. */
  later(reason) {
    const begun = this.reasons.get(reason);
    setTimeout(() => {
      if (this.reasons.get(reason) === begun) this.reasons.delete(reason);
      if (this.waiting) this.ask();
    });
  }
}
