// The rules of a game in short, as the terminal shows them.

/**
 * Returns the parts of a text whose lines are as wide as a terminal: paragraphs as texts, and lists of
 * `[term, text]` for indented lines, where two spaces or more divide columns.
 */
export function summaryParts(text) {
  const parts = [];
  for (const line of text.split("\n")) {
    const last = parts.at(-1);
    if (line.startsWith("  ")) {
      const cells = line.trim().split(/ {2,}/);
      const pairs = cells.flatMap((cell, i) => (i % 2 ? [] : [[cell, cells[i + 1] ?? ""]]));
      if (Array.isArray(last)) last.push(...pairs);
      else parts.push(pairs);
    } else if (typeof last === "string") parts[parts.length - 1] = `${last} ${line}`;
    else parts.push(line);
  }
  return parts;
}
