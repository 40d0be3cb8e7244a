// Words of the game, and what they mean.

export const SOURCES = ["cities", "harbors", "leagues", "donations", "group", "objective"];
export const PLACES = ["1st", "2nd", "3rd", "4th"];
export const ACTIONS = {
  A: { name: "Harbors", text: "a harbor, no city" },
  B: { name: "Cities", text: "no harbor" },
  C: { name: "Alliance", text: "city and harbor, or wedding" },
};
const OBJECTIVE_POINTS = [0, 2, 5, 10, 15, 25, 35];

/** Returns what decides for a player: the points over all sources, unless the game says it. */
export const total = (player) =>
  player.total ?? player.scores.reduce((sum, points) => sum + points, 0);

/** Returns what a number of an objective's cities is worth (R8.2). */
export const objectivePoints = (held) => OBJECTIVE_POINTS[held];

/** Returns the name of a region card. */
export const regionName = (region) => (region === "inactive" ? "Inactive regions" : region);

/** Returns the cards of a plan in words. */
export function planWords(plan) {
  const region = plan.region === "inactive" ? "inactive region" : plan.region;
  return `${region} ${plan.action}${plan.privilege ? " + King’s Privilege" : ""}`;
}

/** Returns a player's name; seats count from 1 for people. */
export const playerName = (player) => player.name || `Player ${player.seat + 1}`;

/** Numbers players of the same name in a view, such as two agents of one kind. */
export function tellApart(view) {
  const names = view.players.map((player) => player.name);
  view.players.forEach((player, seat) => {
    const alike = names.filter((name) => name && name === names[seat]).length;
    const number = names.slice(0, seat + 1).filter((name) => name === names[seat]).length;
    if (alike > 1) player.name = `${names[seat]} ${number}`;
  });
}

/**
 * Returns a line of the log for people: "fief 5 r2 @ 12,7: Rouen, +6" becomes
 * "places fief 5: Rouen, +6". Rotation and position are for records.
 */
export function lineWords(text) {
  return text
    .replace(/^fief (\d+) r\d @ \d+,\d+/, "places fief $1")
    .replace(/^rings \d+,\d+ \d+,\d+/, "arranges a wedding with two rings")
    .replace(/^ring \d+,\d+/, "arranges a wedding with one ring")
    .replace(/^donate\b/, "donates the fief")
    .replace(/: , \+/, ", +");
}

/** Returns round and stage. */
export function stageWords(view) {
  if (view.stage === "over") return `Over after ${view.round} rounds`;
  return `Round ${view.round} · ${view.stage}`;
}
