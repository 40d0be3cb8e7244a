// What moves: pieces from their owner to their place, and points from there to the score.

import { still } from "../common/dom.js";

const middle = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};

/**
 * Slides drawings of a map from an element of the page to their place.
 *
 * @param {Iterable<SVGElement>} pieces
 * @param {Element | null} from
 * @param {number} pixels pixels of the window to a unit of the map
 * @param {number} time in milliseconds; 0 moves nothing
 */
export function slide(pieces, from, pixels, time) {
  if (!from || !time || still()) return;
  const [x0, y0] = middle(from);
  for (const piece of pieces) {
    const [x, y] = middle(piece);
    const shift = `translate(${(x0 - x) / pixels}px, ${(y0 - y) / pixels}px)`;
    const map = piece.closest(".map");
    map.classList.add("crossed"); // the piece may leave the map's window on its way
    const done = () => map.classList.remove("crossed");
    piece.animate(
      [
        { transform: `${shift} scale(0.35)`, opacity: 0.4 },
        { opacity: 1, offset: 0.3 },
        { transform: "none" },
      ],
      { duration: time, easing: "cubic-bezier(0.3, 0.7, 0.2, 1)" },
    ).finished.then(done, done);
  }
}

/**
 * Lets points rise from an element to where they are counted.
 *
 * @param {number} points
 * @param {Element | null} from
 * @param {Element | null} to
 * @param {number} time in milliseconds; 0 moves nothing
 */
export function raise(points, from, to, time) {
  if (!points || !from || !to || !time || still()) return;
  const [[x0, y0], [x, y]] = [middle(from), middle(to)];
  const text = document.createElement("b");
  text.className = "rising";
  text.ariaHidden = "true";
  text.textContent = `+${points}`;
  document.body.append(text);
  const at = (left, top, scale) => `translate(${left}px, ${top}px) translate(-50%, -50%) scale(${scale})`;
  const steps = [
    { transform: at(x0, y0, 0.5), opacity: 0 },
    { transform: at(x0, y0 - 24, 1.3), opacity: 1, offset: 0.3 },
    { transform: at(x0, y0 - 24, 1.3), opacity: 1, offset: 0.5 },
    { transform: at(x, y, 0.9), opacity: 0.6 },
  ];
  const done = () => text.remove();
  text.animate(steps, { duration: 1.6 * time, easing: "ease-in-out" }).finished.then(done, done);
}
