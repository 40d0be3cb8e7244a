// Words of the game, and what they mean.

import { fill, words } from "../words/index.js";

export const SOURCES = words.common.sources;
export const PLACES = words.common.places;
const OBJECTIVE_POINTS = [0, 2, 5, 10, 15, 25, 35];

/** Returns what decides for a player: the points over all sources, unless the game says it. */
export const total = (player) =>
  player.total ?? player.scores.reduce((sum, points) => sum + points, 0);

/** Returns what a number of an objective's cities is worth (R8.2). */
export const objectivePoints = (held) => OBJECTIVE_POINTS[held];

/** Returns the name of a region card. */
export const regionName = (region) =>
  region === "inactive" ? words.common.inactiveRegions : region;

/** Returns the cards of a plan in words. */
export function planWords(plan) {
  const region = plan.region === "inactive" ? words.common.inactiveRegion : plan.region;
  return `${region} ${plan.action}${plan.privilege ? ` + ${words.common.privilege}` : ""}`;
}

/** Returns the name of a player or a seat; one that nobody has named is called by the seat, from 1. */
export const playerName = ({ name, seat }) =>
  name && name !== `Player ${seat + 1}` ? name : fill(words.common.player, seat + 1);

/** Returns round and stage. */
export function stageWords(view) {
  if (view.decision === "over") return fill(words.common.over, view.round);
  return fill(words.common.round, view.round, words.common.stages[view.decision]);
}
