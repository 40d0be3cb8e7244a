// Legal choices in groups, so that a person chooses what to do first, and then the detail.

const MOST_LISTED = 30; // choices of a group; of more, each word is chosen for itself

/** Whether choices are so many that each of their words is chosen for itself. */
export const byWords = (choices) => choices.length > MOST_LISTED && details(choices[0]).length > 1;

/**
 * Returns the groups of choices `{action, text, words}`: `{verb, title, choices}`, where the title is
 * what the words of all have in common, and each choice has a `label`: the rest of its words. The
 * choices that stand alone come first, together, without a title.
 */
export function groupsOf(choices) {
  const verbs = new Map();
  for (const choice of choices) {
    const verb = choice.text.split(" ")[0];
    verbs.set(verb, [...(verbs.get(verb) ?? []), choice]);
  }
  const groups = [...verbs].flatMap(([verb, found]) =>
    divided(found).map((part) => ({ verb, ...titled(part) })),
  );
  const single = groups.filter((group) => group.choices.length === 1);
  const first = { verb: "", title: "", choices: single.flatMap((group) => group.choices) };
  return [...(single.length ? [first] : []), ...groups.filter((group) => group.choices.length > 1)];
}

/**
 * Returns choices by the second word of their texts, where several share it: the dice of a colour, or
 * the first half of a payment such as "own+worker".
 */
function divided(choices) {
  const parts = new Map();
  for (const choice of choices) {
    const [word] = details(choice);
    const [half, other] = word?.split("+") ?? [];
    const part = half === other ? word : half;
    parts.set(part, [...(parts.get(part) ?? []), choice]);
  }
  const few = byWords(choices) || parts.size * 2 > choices.length;
  return few ? [choices] : [...parts.values()];
}

function titled(choices) {
  const ends = new Set(choices.map((choice) => choice.words.split("; ").slice(1).join("; ")));
  const [end] = choices.length > 1 && ends.size === 1 ? ends : [""]; // such as what all of them cost
  const words = choices.map((choice) => choice.words.slice(0, end ? -end.length - 2 : undefined).split(" "));
  let shared = 0;
  const same = (i) => words.every((one) => one.length > i + 1 && one[i] === words[0][i]);
  while (choices.length > 1 && same(shared)) shared += 1;
  return {
    title: words[0].slice(0, shared).join(" ") + (end && `; ${end}`),
    choices: choices.map((choice, i) => ({ ...choice, label: words[i].slice(shared).join(" ") })),
  };
}

/** Returns the words of an action's text after its verb. */
export const details = (choice) => choice.text.split(" ").slice(1);

/**
 * Returns, for each word of many choices, the words that can stand there: those of the choices that
 * agree with the chosen one in the words before.
 */
export function steps(choices, chosen) {
  const words = chosen ? details(chosen) : [];
  const rows = [];
  let fitting = choices;
  for (let i = 0; i < details(choices[0]).length; i += 1) {
    rows.push([...new Set(fitting.map((choice) => details(choice)[i]))]);
    if (words[i] === undefined) break;
    fitting = fitting.filter((choice) => details(choice)[i] === words[i]);
  }
  return rows;
}

/** Returns the choice nearest to the chosen one that has a word at a place. */
export function withWord(choices, chosen, i, word) {
  const words = chosen ? details(chosen) : [];
  const agrees = (choice, n) => details(choice).every((one, k) => k >= n || one === words[k]);
  const fitting = choices.filter((choice) => details(choice)[i] === word && agrees(choice, i));
  const alike = (choice) => details(choice).filter((one, k) => one === words[k]).length;
  return fitting.reduce((best, one) => (alike(one) > alike(best) ? one : best));
}
