// How strong agents are, in words.

import { words } from "../words/index.js";

/** Returns an agent with its strength in a word, if that is known. */
export const agentWords = (agent, level) =>
  [words.lobby.levels[level], agent].filter(Boolean).join(" · ");
