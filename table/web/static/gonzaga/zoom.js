// A drawing that is enlarged and moved inside its window: by pinch, wheel, double tap, and drag.

import { still } from "../common/dom.js";
import Panzoom from "../vendor/panzoom.js";

const [LARGEST, DOUBLE_TAP] = [6, 2.5]; // times the size that fits the window
const DRAGGED = 8; // pixels from which a press is a drag and no click
const WITHIN = 350; // milliseconds between the taps of a double tap

/** The window of a drawing; a scale of 1 fits it. `changed()` is called when the scale has changed. */
export class Zoom {
  constructor(svg, changed) {
    this.svg = svg;
    this.panzoom = Panzoom(svg, {
      canvas: true,
      contain: "outside",
      cursor: "",
      handleStartEvent: (event) => {
        this.start = [event.clientX, event.clientY];
      },
      maxScale: LARGEST,
      minScale: 1,
      panOnlyWhenZoomed: true,
      pinchAndPan: true,
      step: 0.7,
    });
    svg.addEventListener("panzoomchange", () => {
      svg.parentNode.classList.toggle("enlarged", this.scale > 1.001);
      changed();
    });
    new ResizeObserver(() => this.panzoom.zoom(this.scale, { animate: false })).observe(svg.parentNode);
    svg.addEventListener("pointerup", (event) => this.onTap(event));
  }

  get scale() {
    return this.panzoom.getScale();
  }

  /** Enlarges around the middle of what is seen. */
  set(scale) {
    this.panzoom.zoom(scale, { animate: !still() });
  }

  /** Enlarges around the pointer, by the wheel or by two fingers on a touchpad. */
  onWheel(event) {
    event.preventDefault();
    const speed = event.ctrlKey ? 0.01 : 0.002;
    const lines = event.deltaMode ? 30 : 1;
    const factor = Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * speed);
    this.panzoom.zoomToPoint(this.scale * factor, event);
  }

  /** Enlarges where a finger taps twice; when enlarged, all is shown again. */
  onTap(event) {
    if (event.pointerType !== "touch" || this.wasDragged(event)) return;
    const { clientX, clientY, timeStamp } = event;
    const { last } = this;
    this.last = { clientX, clientY, timeStamp };
    if (!last || timeStamp - last.timeStamp > WITHIN) return;
    if (Math.hypot(clientX - last.clientX, clientY - last.clientY) > 30) return;
    this.last = null;
    if (this.scale > 1.05) this.set(1);
    else this.panzoom.zoomToPoint(DOUBLE_TAP, event);
  }

  /** Returns whether a click or tap ends a drag of the drawing. */
  wasDragged({ clientX, clientY }) {
    const [x, y] = this.start ?? [clientX, clientY];
    return Math.hypot(clientX - x, clientY - y) > DRAGGED;
  }
}
