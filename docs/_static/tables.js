"use strict";
// Sorts a table's rows by a column: click its heading, or press Enter on it. A second click turns
// the order around, and a third one restores that of the page. Without scripts it is a plain table.

/**
 * Returns the number that a cell starts with, and on which side of it a bound lies; null for none.
 * "50.7 % (46 to 55)" is 50.7, and "at most 133" lies just below 133.
 */
function numberIn(text) {
  const found = text.trim().match(/^(at most|at least|[<>≤≥≈~])?\s*([-−+]?(?:\d[\d,]*)?\.?\d+)/);
  if (!found) return null;
  const value = Number(found[2].replace("−", "-").replaceAll(",", ""));
  const side = /^(at most|[<≤])/.test(found[0]) ? -1 : /^(at least|[>≥])/.test(found[0]) ? 1 : 0;
  return { value, side };
}

/** Returns whether a column holds numbers: more than half of its cells that are not empty. */
function isNumeric(texts) {
  const filled = texts.filter((text) => text.trim());
  return filled.filter(numberIn).length * 2 > filled.length;
}

/** Returns the rows' indices in the order of a column's texts; cells without a value come last. */
function orderOf(texts, direction) {
  const numbers = isNumeric(texts) ? texts.map(numberIn) : null;
  const isMissing = texts.map((text, i) => Number(numbers ? !numbers[i] : !text.trim()));
  const compare = (a, b) => (numbers
    ? numbers[a].value - numbers[b].value || numbers[a].side - numbers[b].side
    : texts[a].localeCompare(texts[b], "en", { numeric: true }));
  return texts.map((_, i) => i).sort((a, b) =>
    isMissing[a] - isMissing[b] || (isMissing[a] ? 0 : direction * compare(a, b)));
}

/** Returns the orders that clicks on a heading lead to in turn; the first one changes something. */
function directionsOf(texts) {
  const first = isNumeric(texts) ? -1 : 1; // the largest number, but the first word
  const isSame = orderOf(texts, first).every((row, i) => row === i);
  return isSame ? [-first, first, 0] : [first, -first, 0];
}

function makeSortable(table) {
  const body = table.tBodies[0], rows = [...body.rows], headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const texts = rows.map((row) => row.cells[column].textContent);
    const directions = directionsOf(texts);
    const button = document.createElement("button"), place = heading.querySelector("p") ?? heading;
    button.type = "button";
    button.className = "sort";
    button.append(...place.childNodes);
    if (!button.textContent.trim()) button.setAttribute("aria-label", "rank");
    place.append(button);
    let clicks = 0;
    button.addEventListener("click", () => {
      clicks = heading.hasAttribute("aria-sort") ? clicks + 1 : 0;
      const direction = directions[clicks % 3];
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      if (direction) heading.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      const order = direction ? orderOf(texts, direction) : rows.map((_, i) => i);
      body.replaceChildren(...order.map((i) => rows[i]));
    });
  });
}

if (typeof document !== "undefined") {
  for (const table of document.querySelectorAll("article table")) makeSortable(table);
}
