// The puzzles that this browser has solved.

import { keepSetting, setting } from "../common/storage.js";

/** Returns the ids of the solved puzzles. */
export const solved = () => new Set(setting("solved", []));

export const keepSolved = (id) => keepSetting("solved", [...solved().add(id)]);
