// Brings the places that can be chosen into view, as far as there is room, and takes that back.

const EDGE = 6; // pixels around them

/**
 * Returns how far to scroll one way, so that all of some places are seen; if there is no room for
 * them, the first ones if none is seen.
 *
 * @param {[number, number][]} places where each begins and ends
 * @param {[number, number]} view what is seen
 */
export function distance(places, [start, end]) {
  const first = Math.min(...places.map(([begin]) => begin)) - EDGE;
  const last = Math.max(...places.map(([, finish]) => finish)) + EDGE;
  if (start <= first && last <= end) return 0;
  if (last - first <= end - start) return first < start ? first - start : last - end;
  return places.some(([begin, finish]) => start <= begin && finish <= end) ? 0 : first - start;
}

/** @type {(one: Element) => [number, number]} */
const down = (one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return [top, bottom];
};

/** The map, which scrolls where the window is low. */
export class Reveal {
  constructor(map) {
    this.map = map;
    this.moved = null; // where it was before, and where it was scrolled to
  }

  show() {
    const places = [...this.map.querySelectorAll(".spot:not(.off)")].map(down);
    const before = this.map.scrollTop;
    if (places.length) this.map.scrollTop += distance(places, down(this.map));
    if (this.map.scrollTop !== before) this.moved = [before, this.map.scrollTop];
  }

  /** Takes that back, unless somebody has scrolled since. */
  back() {
    const [before, after] = this.moved ?? [0, -9];
    if (Math.abs(this.map.scrollTop - after) < 2) this.map.scrollTop = before;
    this.moved = null;
  }
}
