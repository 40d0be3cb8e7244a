// What several games say alike.

import { List, Phrases } from "../../phrases.js";

export const n = /\d+/;
export const signed = /[+-]\d+/;

/** Of players; one that nobody has given another is said in German. */
export const name = new Phrases({ n, given: /\S.*?/ }, [
  ["Player {n}", "Spieler {n}"],
  ["{given}", "{given}"],
]);
export const names = new List(name, ", ");
export const winners = new List(name, " and ", " und ");

/** Returns a number with the German form that it takes. */
export const counted = (number, one, other) => `${number} ${Math.abs(Number(number)) === 1 ? one : other}`;

/**
 * Returns lines for what a player can do and what one has done: "take a card" and "takes a card". In
 * the German of the first, a verb with a bar, such as "Nimm|nimmt", has both forms.
 *
 * @param {[string, string, string | ((parts: any) => string)][]} lines English verb and rest, German
 * @param {0 | 1} form what to do, or what was done
 * @returns {[string, any][]}
 */
export const deeds = (lines, form) =>
  lines.map(([verb, rest, german]) => [
    `${form ? done(verb) : verb}${rest && " "}${rest}`,
    typeof german === "function" ? (parts) => inForm(german(parts), form) : inForm(german, form),
  ]);

const inForm = (german, form) => german.replace(/(\S+)\|(\S+)/, (_, ...both) => both[form]);

const done = (verb) =>
  /[^aeo]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}${/[shx]$/.test(verb) ? "e" : ""}s`;

export const gainsOfAll = new List(new Phrases({ name, n }, [["{name} +{n}", "{name} +{n}"]]), ", ");

export const common = new Phrases({ n, name, winners }, [
  ["turn order", "Reihenfolge"],
  ["turn", "am Zug"],
  ["last", "zuletzt"],
  ["won by", "gewonnen von"],
  ["winner", "gewinnt"],
  ["everything is shown", "alles ist zu sehen"],
  ["what lies open", "was offen liegt"],
  ["as {name} sees it", "wie {name} es sieht"],
  ["won by {winners}", "gewonnen von {winners}"],
  ["{name} wins with {n} points", ({ name, n }) => `${name} gewinnt mit ${counted(n, "Punkt", "Punkten")}`],
  [
    "{winners} share the victory with {n} points",
    ({ winners, n }) => `${winners} teilen sich den Sieg mit ${counted(n, "Punkt", "Punkten")}`,
  ],
]);
