// What a choice of a hint is worth, and why, in words.

import { fill, number, plural, words } from "../words/index.js";
import { coveredWords } from "../common/events.js";
import { playerName } from "../common/words.js";

const { points: pointForms, reasons } = words.hints;
const gained = (points) => fill(words.events.points, points);

/** How each kind of reason is told; what a choice covers and founds stands in its own words. */
const TELL = {
  spots: (reason) => {
    const spots = reason.number ? plural(reason.number, reasons.spots) : reasons.noSpot;
    const both = reason.weddings ? `${spots}, ${reasons.weddings}` : spots;
    return reason.sites ? `${both}, ${fill(reasons.upTo, coveredWords(reason))}` : both;
  },
  privilege: ({ left }) => fill(reasons.privilege, left),
  objective: ({ held, of, points }) => fill(reasons.objective, held, of, gained(points)),
  harbors: ({ held, of, sea }) => fill(reasons.harbors, held, of, sea),
  group: ({ before, after }) => fill(reasons.group, before, after),
  takes: ({ seat, points }, view) =>
    fill(reasons.takes, playerName(view.players[seat]), plural(points, pointForms)),
  denies: ({ seat, sea }, view) => fill(reasons.denies, playerName(view.players[seat]), sea),
  rings: ({ spent, left }) => `${plural(spent, reasons.rings)} (${fill(reasons.left, left)})`,
  place: ({ near }) => fill(reasons.place, near),
  only: () => reasons.only,
  tie: () => reasons.tie,
  said: ({ text }) => text, // of a game that has no words here
};

/** Returns the reasons for a choice as one text; kinds that are unknown here are left out. */
export const reasonWords = (found, view) =>
  found
    .map((reason) => TELL[reason.kind]?.(reason, view))
    .filter(Boolean)
    .join("; ");

/** Returns what a choice is worth: a chance in percent, or points; "–" where nothing was tried. */
export function valueWords(value, measure) {
  if (value === null) return "–";
  if (measure !== "points") return number(value, { style: "percent" });
  return number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
