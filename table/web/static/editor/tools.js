// The tools on the map, by pointer and by keyboard.

import { neighbors } from "../common/geometry.js";
import {
  addSite, brushed, inside, markAt, OFF, paint, siteAt, toggleSide, width,
} from "./edits.js";
import { SIDE_KEYS, directionTo, moved, same, side } from "./hexes.js";

/** Lets the map's drawing react to the pointer and to keys. */
export function listen(drawing, store, view, say) {
  let dragging = null; // the gesture's number and where it started
  let gestures = 0;

  const cellAt = (event) => {
    /** @type {HTMLElement} */
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    return found && drawing.contains(found) ? found.dataset.cell.split(",").map(Number) : null;
  };
  const pointAt = (event) => {
    const matrix = drawing.getScreenCTM().inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [point.x, point.y];
  };

  drawing.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (document.activeElement !== drawing) blur(); // keep what was typed
    const cell = cellAt(event);
    if (!cell) return;
    const mouse = event.pointerType !== "touch"; // a finger scrolls, and paints by taps
    dragging = mouse ? { number: (gestures += 1), start: cell } : null;
    store.ui.cursor = cell;
    if (event.altKey && store.ui.tool === "terrain") pick(store, cell);
    else use(store, cell, { gesture: gestures, direction: directionTo(cell, pointAt(event)) });
  });

  drawing.addEventListener("pointermove", (event) => {
    const cell = cellAt(event);
    if (!cell) return view.preview([]);
    const { tool, size } = store.ui;
    const { model } = store;
    const direction = directionTo(cell, pointAt(event));
    if (tool === "barrier") {
      view.preview([], isSide(model, cell, direction) ? side(cell, direction) : null);
    } else {
      view.preview(tool === "terrain" && size === "seven" ? brushed(model, cell, size) : [cell]);
    }
    say(view.words(cell));
    if (dragging && event.buttons === 1) drag(store, dragging, cell);
  });
  drawing.addEventListener("pointerleave", () => view.preview([]));
  window.addEventListener("pointerup", () => (dragging = null));
  drawing.addEventListener("keydown", (event) => pressKey(event, store, view, say));
}

/** Paints on, or moves a city or harbor along. */
function drag(store, dragging, cell) {
  const { tool, brush, size, selected } = store.ui;
  if (tool === "terrain" && size !== "area") {
    const cells = brushed(store.model, cell, size);
    store.edit((model) => paint(model, cells, brush), dragging.number);
  } else if ((tool === "city" || tool === "harbor") && selected !== null) {
    const site = store.model[tool][selected];
    if (!site || same(site.at, cell) || occupied(store.model, cell)) return;
    store.edit((model) => (model[tool][selected].at = cell), `move ${dragging.number}`);
  }
}

const occupied = (model, cell) =>
  siteAt(model, "city", cell) >= 0 || siteAt(model, "harbor", cell) >= 0;

const isSide = (model, cell, direction) =>
  [cell, neighbors(cell)[direction]].every((one) => markAt(model, one) !== OFF);

/** Takes the brush from a hex. */
function pick(store, cell) {
  store.show({ brush: markAt(store.model, cell) });
}

/** Uses the tool on a hex. */
export function use(store, cell, { gesture = null, direction = null } = {}) {
  const { tool, brush, size, barrier } = store.ui;
  if (tool === "terrain") {
    const cells = brushed(store.model, cell, size);
    store.edit((model) => paint(model, cells, brush), gesture);
  } else if (tool === "barrier") {
    if (direction === null || !isSide(store.model, cell, direction)) return store.changed();
    store.edit((model) => toggleSide(model, barrier, cell, neighbors(cell)[direction]));
  } else {
    chooseSite(store, cell, tool);
  }
}

/** Selects the city or harbor on a hex, whichever it is; adds one where there is none. */
function chooseSite(store, cell, tool) {
  for (const kind of ["city", "harbor"]) {
    const index = siteAt(store.model, kind, cell);
    if (index >= 0) return store.show({ tool: kind, selected: index });
  }
  store.edit((model) => (store.ui.selected = addSite(model, tool, cell)));
  store.focus(`${tool} name`);
}

function pressKey(event, store, view, say) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { tool, cursor } = store.ui;
  const { model } = store;
  const marks = [OFF, ...[...model.regions, ...model.seas].map(([mark]) => mark)];
  let next = moved(cursor, event.key);
  if (next) {
    if (!inside(model, next)) next = cursor;
  } else if (event.key === " ") {
    use(store, cursor);
  } else if (tool === "barrier" && event.key in SIDE_KEYS) {
    use(store, cursor, { direction: SIDE_KEYS[event.key] });
  } else if (tool === "terrain" && event.key === "Enter") {
    next = [cursor[0] + 1, 0];
  } else if (tool === "terrain" && event.key === "Backspace") {
    next = [cursor[0], cursor[1] - 1];
  } else if (tool === "terrain" && marks.includes(event.key)) {
    store.ui.brush = event.key;
    store.edit((changed) => paint(changed, [cursor], event.key));
    next = [cursor[0], Math.min(cursor[1] + 1, width(model) - 1)];
  } else if (event.key === "Enter") {
    use(store, cursor);
  } else if (event.key === "Delete" && (tool === "city" || tool === "harbor")) {
    remove(store, tool, siteAt(model, tool, cursor));
  } else {
    return;
  }
  event.preventDefault();
  if (next && inside(model, next)) {
    store.show({ cursor: next });
    view.reveal(next);
    say(view.words(next));
  }
}

/** Removes a city or harbor. */
export function remove(store, kind, index) {
  if (index < 0) return;
  store.ui.selected = null;
  store.edit((model) => model[kind].splice(index, 1));
}
