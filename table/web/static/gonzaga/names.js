// Names on a map that is drawn at any size: readable, or left out.

const LEAST = 10; // pixels of a letter's height that can be read
const MOST = 17; // pixels, where the map is enlarged
const GROWN = 2.4; // times that a name may be larger than drawn on the map
const CAPS = [0.78, 0.24]; // of a letter's height above and below its line
const APART = 0.4; // of a letter's height between two names in a line

/**
 * Returns the place of each name, in units of the map: the middle and height of its line, and its
 * size, 0 for those that are not shown: their letters would be too small, or they would cover
 * another name or mark.
 *
 * @param {{x: number, y: number, size: number, width: number, first?: boolean}[]} names the middle of
 *   the line, size and width as drawn on the map; those that come `first` are kept where two meet
 * @param {{x: number, y: number, radius: number}[]} marks the names' own marks, in the same order
 * @param {number} pixels pixels of the window to a unit of the map
 * @param {[number, number]} [sides] of the map, left and right, which no name crosses
 */
export function placedNames(names, marks, pixels, sides = [-Infinity, Infinity]) {
  const places = names.map((name) => placed(name, readable(name.size, pixels), sides));
  const order = [...names.keys()].sort((a, b) => rank(names[a]) - rank(names[b]));
  const kept = [];
  for (const i of order.filter((one) => places[one].size)) {
    const box = boxOf(places[i]);
    const covers = marks.some((mark, other) => other !== i && hides(box, mark));
    if (covers || kept.some((other) => overlap(box, other))) places[i].size = 0;
    else kept.push(boxOf({ ...places[i], half: places[i].half + APART * places[i].size }));
  }
  return places;
}

/** Returns a name at a size; its upper edge stays where the map has it. */
function placed({ x, y, size, width }, shown, [left, right]) {
  const half = (width * shown) / size / 2;
  const inside = Math.min(Math.max(x, left + half), right - half);
  return { x: inside, y: y + CAPS[0] * (shown - size), size: shown, half };
}

function readable(size, pixels) {
  const wanted = Math.min(Math.max(size, LEAST / pixels), MOST / pixels);
  return wanted > GROWN * size ? 0 : wanted;
}

/** Names of importance come first, then those that the map draws large. */
const rank = ({ first = false, size }) => (first ? -1000 : 0) - size;

/** Returns left, top, right and bottom of a name. */
const boxOf = ({ x, y, size, half }) => [x - half, y - CAPS[0] * size, x + half, y + CAPS[1] * size];

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

const hides = (box, { x, y, radius }) =>
  overlap(box, [x - radius, y - radius, x + radius, y + radius]);
