// A file of records: read in parts, since the server takes only so much at once.

import * as api from "../common/api.js";

const PART = 100_000; // characters sent at once, which the server takes quotes and all
const MOST = 500; // games listed

/** Yields lists of games: `{line, title, error, text}` with lines counted in the file. */
export async function* readGames(text) {
  const lines = text.split("\n");
  let listed = 0;
  for (let start = 0; start < lines.length && listed < MOST; ) {
    let [end, size] = [start, 0];
    while (end < lines.length && (end === start || size + lines[end].length < PART)) {
      size += lines[end].length + 1;
      end += 1;
    }
    const part = lines.slice(start, end);
    if (part.some((line) => line.trim())) {
      const { games } = await api.readRecords(part.join("\n"));
      const offset = start;
      listed += games.length;
      yield games.map((game) => ({
        ...game,
        line: offset + game.line,
        text: part[game.line - 1],
      }));
    }
    start = end;
  }
}
