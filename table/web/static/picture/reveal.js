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

/** @type {(box: DOMRect) => [number, number]} */
const across = ({ left, right }) => [left, right];
/** @type {(box: DOMRect) => [number, number]} */
const down = ({ top, bottom }) => [top, bottom];

/** The map and the rows in it, which scroll across where the window is narrow. */
export class Reveal {
  constructor(map) {
    this.map = map;
    this.moved = []; // what has been scrolled: `[element, member, before, after]`
  }

  show() {
    for (const row of this.map.querySelectorAll(".row")) this.scroll(row, "scrollLeft", across);
    this.scroll(this.map, "scrollTop", down);
  }

  scroll(element, member, span) {
    const places = [...element.querySelectorAll(".spot:not(.off)")].map((one) => span(one.getBoundingClientRect()));
    if (!places.length) return;
    const before = element[member];
    element[member] += distance(places, this.seen(element, span));
    if (element[member] !== before) this.moved.push([element, member, before, element[member]]);
  }

  /**
   * Returns what is seen of an element: on a phone, the coach speaks over it.
   *
   * @returns {[number, number]}
   */
  seen(element, span) {
    const [start, end] = span(element.getBoundingClientRect());
    const coach = document.getElementById("coach")?.getBoundingClientRect(); // puzzles have none
    const over = coach?.height && element === this.map && coach.left < element.getBoundingClientRect().right;
    const [above] = over ? span(coach) : [end];
    return [start, start < above && above < end ? above : end];
  }

  /** Takes back what nobody has scrolled since. */
  back() {
    for (const [element, member, before, after] of this.moved) {
      if (Math.abs(element[member] - after) < 2) element[member] = before;
    }
    this.moved = [];
  }
}
