// How strong agents are, in words.

import { words } from "../words/index.js";

/** Returns an agent's strength in a word, "" if it is not known. */
export const levelWord = (level) => words.ladder.levels[level] ?? "";

/** Returns an agent of the ladder in words, such as "Club player · planner · 1285". */
export function agentWords({ agent, level, rating, low }) {
  const value = rating === null ? words.ladder.unrated : ratingWords({ rating, low });
  return [levelWord(level), agent, value].filter(Boolean).join(" · ");
}

/** Returns a rating, which is a bound where nothing bounds it from below. */
export const ratingWords = ({ rating, low }) =>
  low === null ? words.ladder.atMost(rating) : String(rating);
