// Changes of a model. Every function changes the model that it is given.

import { neighbors } from "../common/geometry.js";
import { same } from "./hexes.js";

export const OFF = ".";
export const height = (model) => model.map.length;
export const width = (model) => Math.max(0, ...model.map.map((row) => row.length));
/** @type {(model: any, cell: number[]) => string} */
export const markAt = (model, [row, col]) => model.map[row]?.[col] ?? OFF;
/** @type {(model: any, cell: number[]) => boolean} */
export const inside = (model, [row, col]) =>
  row >= 0 && col >= 0 && row < height(model) && col < width(model);
export const siteAt = (model, kind, cell) => model[kind].findIndex((site) => same(site.at, cell));
export const isRegion = (model, mark) => model.regions.some(([known]) => known === mark);
export const nameOf = (model, mark) =>
  [...model.regions, ...model.seas].find(([known]) => known === mark)?.[1];

/** Returns the cells that a brush covers, all on the page. */
export function brushed(model, cell, size) {
  if (size === "area") return area(model, cell);
  const cells = size === "seven" ? [cell, ...neighbors(cell)] : [cell];
  return cells.filter((one) => inside(model, one));
}

/** Returns the connected cells with the same mark. */
function area(model, start) {
  const mark = markAt(model, start);
  const found = new Map([[start.join(), start]]);
  for (const cell of found.values()) { // the map grows while it is walked through
    for (const next of neighbors(cell)) {
      if (inside(model, next) && markAt(model, next) === mark) found.set(next.join(), next);
    }
  }
  return [...found.values()];
}

export function paint(model, cells, mark) {
  for (const [row, col] of cells) model.map[row][col] = mark;
}

/** Adds a city or a harbor and returns its index. */
export function addSite(model, kind, cell) {
  const group = kind === "city" ? { symbol: nextSymbol(model) } : { sea: seaNextTo(model, cell) };
  model[kind].push({ name: "", at: cell, ...group });
  return model[kind].length - 1;
}

export const symbolsOf = (model) => [...new Set(model.city.map((city) => city.symbol))].sort();

function nextSymbol(model) {
  return model.city.at(-1)?.symbol ?? "crown";
}

/** Returns the name of the sea with most hexes next to a cell, or of the first sea. */
function seaNextTo(model, cell) {
  const marks = neighbors(cell).map((next) => markAt(model, next));
  const count = (mark) => marks.filter((other) => other === mark).length;
  const best = [...model.seas].sort(([a], [b]) => count(b) - count(a))[0];
  return best?.[1] ?? "";
}

/** Adds a side to a barrier, or removes it from whichever barrier has it. */
export function toggleSide(model, index, one, other) {
  const isIt = ([a, b]) => (same(a, one) && same(b, other)) || (same(a, other) && same(b, one));
  const owner = model.barrier.find((barrier) => barrier.edges.some(isIt));
  if (owner) {
    owner.edges = owner.edges.filter((edge) => !isIt(edge));
    return;
  }
  if (!model.barrier.length) model.barrier.push({ name: "Barrier 1", edges: [] });
  const [first, second] = [one, other].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  model.barrier[Math.min(index, model.barrier.length - 1)].edges.push([first, second]);
}

/** Renames a region or sea, wherever its name is used. */
export function rename(model, table, index, name) {
  const old = model[table][index][1];
  model[table][index][1] = name;
  for (const harbor of table === "seas" ? model.harbor : []) {
    if (harbor.sea === old) harbor.sea = name;
  }
  for (const scenario of table === "regions" ? model.scenario : []) {
    scenario.flourishing = scenario.flourishing.map((other) => (other === old ? name : other));
  }
}

/** Renames a symbol of cities and objectives. */
export function renameSymbol(model, old, name) {
  for (const city of model.city) if (city.symbol === old) city.symbol = name;
  model.objective = model.objective.map((pair) => pair.map((one) => (one === old ? name : one)));
}

/** Changes the mark of a region or sea, on the map too; returns whether the mark is free. */
export function changeMark(model, table, index, mark) {
  const used = [...model.regions, ...model.seas].map(([known]) => known);
  if (!mark || /\s/.test(mark) || mark === OFF || used.includes(mark)) return false;
  const old = model[table][index][0];
  model[table][index][0] = mark;
  model.map = model.map.map((row) => row.map((one) => (one === old ? mark : one)));
  return true;
}

/** Adds a region or a sea with a free mark and returns the mark. */
export function addTerrain(model, table) {
  const used = new Set([...model.regions, ...model.seas].map(([mark]) => mark));
  const marks = table === "seas" ? "1234567890abcdefghij" : "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const mark = [...marks].find((one) => !used.has(one)) ?? `x${used.size}`;
  const kind = table === "seas" ? "Sea" : "Region";
  model[table].push([mark, `${kind} ${model[table].length + 1}`]);
  return mark;
}

/** Removes a region or a sea; its hexes leave the map. */
export function removeTerrain(model, table, index) {
  const [mark] = model[table].splice(index, 1)[0];
  model.map = model.map.map((row) => row.map((one) => (one === mark ? OFF : one)));
}

/** Exchanges an entry with the one before it. */
export function moveUp(list, index) {
  if (index > 0) list.splice(index - 1, 2, list[index], list[index - 1]);
}

/** Adds an empty row or column at an edge of the map. */
export function grow(model, edge) {
  if (edge === "top") shiftRows(model, 1);
  if (edge === "bottom") model.map.push(Array(width(model)).fill(OFF));
  if (edge === "right") model.map.forEach((row) => row.push(OFF));
  if (edge === "left") relocate(model, ([row, col]) => [row, col + 1]);
}

/** Removes a row or column at an edge of the map, with what is on it. */
export function shrink(model, edge) {
  const [rows, columns] = [height(model), width(model)];
  if ((edge === "top" || edge === "bottom" ? rows : columns) < 2) return;
  const gone = {
    top: ([row]) => row === 0,
    bottom: ([row]) => row === rows - 1,
    left: ([, col]) => col === 0,
    right: ([, col]) => col === columns - 1,
  }[edge];
  clear(model, gone);
  if (edge === "top") shiftRows(model, -1);
  if (edge === "bottom") model.map.pop();
  if (edge === "right") model.map.forEach((row) => row.pop());
  if (edge === "left") relocate(model, ([row, col]) => [row, col - 1]);
}

function clear(model, gone) {
  for (const kind of ["city", "harbor"]) model[kind] = model[kind].filter(({ at }) => !gone(at));
  for (const barrier of model.barrier) {
    barrier.edges = barrier.edges.filter((edge) => !edge.some(gone));
  }
  model.map = model.map.map((row, r) => row.map((mark, c) => (gone([r, c]) ? OFF : mark)));
}

/** Moves everything one row down or up. Since odd rows are shifted half a hex east, half of the
 * rows must move by a column, so that neighbours stay neighbours. */
function shiftRows(model, by) {
  const columns = width(model);
  const step = by > 0
    ? ([row, col]) => [row + 1, col + (row & 1)]
    : ([row, col]) => [row - 1, col - (row & 1 ? 0 : 1)];
  const used = model.map.flatMap((marks, row) =>
    marks.flatMap((mark, col) => (mark === OFF ? [] : [step([row, col])[1]])));
  const right = used.some((col) => col < 0) ? 1 : 0;
  relocate(model, (cell) => [step(cell)[0], step(cell)[1] + right], columns, by);
}

/** Moves every hex, site and side; the map grows or shrinks to what is needed. */
function relocate(model, move, atLeast = 0, by = 0) {
  const rows = height(model) + by;
  const moved = model.map.flatMap((marks, row) =>
    marks.map((mark, col) => [...move([row, col]), mark]));
  const kept = moved.filter(([row, col]) => row >= 0 && row < rows && col >= 0);
  const needed = kept.filter(([, , mark]) => mark !== OFF).map(([, col]) => col + 1);
  const columns = by
    ? Math.max(atLeast, ...needed)
    : Math.max(...kept.map(([, col]) => col + 1));
  model.map = Array.from({ length: rows }, () => Array(columns).fill(OFF));
  for (const [row, col, mark] of kept) if (col < columns) model.map[row][col] = mark;
  for (const site of [...model.city, ...model.harbor]) site.at = move(site.at);
  for (const barrier of model.barrier) {
    barrier.edges = barrier.edges.map((edge) => edge.map(move));
  }
}
