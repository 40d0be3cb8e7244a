// Words of the game, and what they mean.

import { words } from "../words/index.js";

export const SOURCES = words.common.sources;
export const PLACES = words.common.places;
export const ACTIONS = words.common.actions;
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

/** Returns a player's name; seats count from 1 for people. */
export const playerName = (player) => player.name || words.common.player(player.seat + 1);

/** Numbers players of the same name in a view, such as two agents of one kind. */
export function tellApart(view) {
  const names = view.players.map((player) => player.name);
  view.players.forEach((player, seat) => {
    const alike = names.filter((name) => name && name === names[seat]).length;
    const number = names.slice(0, seat + 1).filter((name) => name === names[seat]).length;
    if (alike > 1) player.name = `${names[seat]} ${number}`;
  });
}

/** Returns round and stage. */
export function stageWords(view) {
  if (view.stage === "over") return words.common.over(view.round);
  return words.common.round(view.round, words.common.stages[view.stage]);
}
