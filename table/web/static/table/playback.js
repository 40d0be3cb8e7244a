// Frames shown one after the other, so that a person can follow what the others did.

const HOLD = { own: 350, move: 1100, many: 1600 }; // milliseconds

/** How much longer or shorter each frame stays. */
export const SPEEDS = { slow: 2, normal: 1, fast: 0.35, "at once": 0 };

/** A queue of frames. `show(frame)` draws one; `done()` runs when the last one is shown. */
export class Playback {
  constructor({ show, done, speed = "normal" }) {
    this.show = show;
    this.done = done;
    this.speed = speed;
    this.queue = [];
    this.timer = null;
  }

  /** Whether frames are waiting to be shown. */
  get busy() {
    return this.queue.length > 0;
  }

  /** Adds frames; they wait until the one that is shown has stayed its time. */
  add(frames) {
    this.queue.push(...frames);
    if (this.timer === null) this.next();
  }

  /** Forgets what waits. */
  clear() {
    clearTimeout(this.timer);
    this.timer = null;
    this.queue = [];
  }

  next() {
    clearTimeout(this.timer);
    this.timer = null;
    while (this.queue.length && this.timer === null) {
      const frame = this.queue.shift();
      this.show(frame);
      const time = hold(frame) * SPEEDS[this.speed];
      if (time) this.timer = setTimeout(() => this.next(), time);
      if (!this.queue.length) this.done();
    }
  }

  /** Shows all that waits at once. */
  skip() {
    clearTimeout(this.timer);
    this.timer = null;
    const { speed } = this;
    this.speed = "at once";
    this.next();
    this.speed = speed;
  }
}

function hold({ lines, own }) {
  if (lines.length > 1) return HOLD.many;
  if (lines[0]?.event?.kind === "plan") return 0; // that it was sealed has been seen
  return own ? HOLD.own : HOLD.move;
}
