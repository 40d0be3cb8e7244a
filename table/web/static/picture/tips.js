// What is told of a piece on the table where the pointer rests or a finger taps: name, effect, rule.

import { byId, make } from "../common/dom.js";

const APART = 14; // pixels between the pointer and what is told

/** A box beside the pointer; `tell(svg, point)` returns the texts for a point of a drawing. */
export class Tips {
  constructor(container, tell) {
    this.tell = tell;
    this.box = make("div", { class: "tip", role: "tooltip", id: "tip", hidden: true });
    document.body.append(this.box);
    container.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.at(event));
    container.addEventListener("pointerleave", () => this.hide());
    container.addEventListener("click", (event) => this.at(event));
    for (const moved of ["scroll", "keydown"]) document.addEventListener(moved, () => this.hide(), true);
  }

  hide() {
    this.box.hidden = true;
  }

  /** Shows what is told of the place under a pointer. */
  at(event) {
    const svg = event.target.closest("svg.block");
    const texts = svg ? this.tell(svg, pointIn(svg, event)) : [];
    this.box.hidden = !texts.length || byId("rules").open;
    if (this.box.hidden) return;
    this.box.replaceChildren(...texts.map((text, i) => make("p", { class: i ? "why" : null }, text)));
    const { width, height } = this.box.getBoundingClientRect();
    const beyond = event.clientX + APART + width > innerWidth;
    const left = beyond ? event.clientX - APART - width : event.clientX + APART;
    const below = event.clientY + APART + height < innerHeight;
    const top = below ? event.clientY + APART : event.clientY - APART - height;
    this.box.style.left = `${Math.max(4, left)}px`;
    this.box.style.top = `${Math.max(4, top)}px`;
  }
}

/** Returns a point of the window in a drawing's units. */
export function pointIn(svg, { clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [x, y];
}

/** Returns the place around a point whose middle is nearest; places begin with left, top, right, bottom. */
export function placeAt(places, [x, y]) {
  const around = places.filter(([left, top, right, bottom]) => left <= x && x <= right && top <= y && y <= bottom);
  const apart = ([left, top, right, bottom]) => Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
  return around.sort((a, b) => apart(a) - apart(b))[0];
}
