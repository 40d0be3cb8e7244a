// Pieces that slide from where they lay to where a move has put them.

import { makeSvg } from "../common/dom.js";

const TIME = 600; // milliseconds
const LARGEST = 110; // of what slides, in a drawing's units: pieces, and no rows or boards

/**
 * Returns the box around corners as SVG has them: left, top, width and height.
 *
 * @type {(points: string) => [number, number, number, number]}
 */
export const boxOf = (points) => {
  const numbers = points.split(/[ ,]/).map(Number);
  const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, i) => i % 2 === odd));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
};

/** Returns what one element draws, apart again: the server joins shapes and letters that look the same. */
function parts(shape) {
  const lists = ["d", "x", "y"].map((name) => shape.getAttribute(name)?.split(name === "d" ? /(?=M)/ : " "));
  const [paths, xs, ys] = lists;
  if (!(shape.localName === "text" ? xs : paths)?.[1]) return [shape.cloneNode(true)];
  return (paths ?? xs).map((_, i) => {
    const part = shape.cloneNode(true);
    if (paths) part.setAttribute("d", paths[i]);
    else Object.entries({ x: xs[i], y: ys[i] }).forEach((place) => part.setAttribute(...place));
    if (!paths) part.textContent = shape.textContent[i];
    return part;
  });
}

/** Returns what a drawing shows inside a box, as a drawing of its own. */
export function cropped(svg, [left, top, width, height]) {
  const picture = makeSvg("svg", { viewBox: [left, top, width, height].join(" "), "aria-hidden": "true" });
  const inside = ({ x, y, width: w, height: h }) =>
    x >= left - 3 && y >= top - 3 && x + w <= left + width + 3 && y + h <= top + height + 3;
  const shapes = [...svg.firstElementChild.querySelectorAll("*")].filter(({ localName }) => localName !== "g");
  const all = makeSvg("g", {}, ...shapes.flatMap(parts));
  svg.append(all); // only what is drawn can be measured
  picture.append(...[...all.children].filter((part) => inside(/** @type {any} */ (part).getBBox())));
  all.remove();
  return picture;
}

/** Returns where a box of a drawing lies in the window. */
function placed(svg, [left, top, width, height]) {
  const screen = svg.getScreenCTM();
  const { x, y } = new DOMPoint(left, top).matrixTransform(screen);
  return { x, y, width: width * screen.a, height: height * screen.d };
}

/** Takes up a piece before it is drawn elsewhere; null if it is too large to slide, or empty. */
export function lift(svg, points) {
  const box = boxOf(points);
  const piece = box[2] > LARGEST || box[3] > LARGEST ? null : cropped(svg, box);
  return piece?.childElementCount ? { piece, from: placed(svg, box) } : null;
}

/** Slides a piece that was taken up to a box of a drawing, or to any element. */
export function land({ piece, from }, target, points, factor) {
  const to = points ? placed(target, boxOf(points)) : target.getBoundingClientRect();
  piece.setAttribute("class", "sliding");
  for (const [side, name] of [["left", "x"], ["top", "y"], ["width", "width"], ["height", "height"]]) {
    piece.style[side] = `${from[name]}px`;
  }
  document.body.append(piece);
  const across = to.x + to.width / 2 - from.x - from.width / 2;
  const down = to.y + to.height / 2 - from.y - from.height / 2;
  const frames = [{ transform: "none" }, { transform: `translate(${across}px, ${down}px)` }];
  const sliding = piece.animate(frames, { duration: TIME * factor, easing: "ease-in-out" });
  sliding.finished.finally(() => piece.remove());
}
