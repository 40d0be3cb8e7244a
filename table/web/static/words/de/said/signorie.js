// The sentences of Signorie. Names that an edition made up stay as they are, with their sentences.

import { List, Phrases } from "../../phrases.js";
import { counted, deeds, gainsOfAll, n, name, signed } from "./common.js";

const color = {
  yellow: "Gelb",
  red: "Rot",
  violet: "Violett",
  grey: "Grau",
  turquoise: "Türkis",
};
const board = { yellow: "gelb", red: "rot", purple: "lila", blue: "blau" };
const dieOf = {
  yellow: "gelben",
  red: "roten",
  violet: "violetten",
  grey: "grauen",
  turquoise: "türkisen",
};
/** Careers alone, and before "e Karriere" and "en Karriere". */
const track = { political: "Politik", clerical: "Klerus", military: "Militär" };
const career = { political: "politisch", clerical: "geistlich", military: "militärisch" };
const row = {
  political: "politische Reihe",
  clerical: "geistliche Reihe",
  military: "militärische Reihe",
  marriage: "Heiratsreihe",
};
const assignment = {
  initiative: "Initiative",
  threshold: "Schwelle",
  money: "Geld",
  training: "Ausbildung",
  fame: "Ruhm",
  marriage: "Heirat",
  mission: "Mission",
  offspring: "Nachwuchs",
  alliance: "Bündnis",
  academy: "Akademie",
};
const bonusTile = { ...assignment, children: "Kinder", helper: "Helfer" };
const city = /[^\s,:]+/;
const sex = { male: "Mann", males: "Männer", female: "Frau", females: "Frauen" };
const source = {
  missions: "Missionen",
  marriages: "Heiraten",
  initiative: "Initiative",
  helpers: "Helfer",
  assignments: "Aufträge",
  rewards: "Belohnungen",
  weddings: "Hochzeiten",
  careers: "Karrieren",
  tiles: "Plättchen",
};
const criterion = {
  helpers: "Helfer",
  brides: "Bräute",
  cities: "Figuren in Städten",
  tiles: "Plättchen",
  careers: "Männer in Karrieren",
};
const one = {
  helper: "Helfer",
  bride: "Braut",
  meeple: "Figur",
  tile: "Plättchen",
  male: "Mann",
};
const s = { "": "", s: "" };

const part = new Phrases({ n, s, sex }, [
  ["{n} Florin{s}", "{n} Florin"],
  ["{n} VP", "{n} SP"],
  ["{n} track point{s}", ({ n }) => counted(n, "Schritt", "Schritte")],
  ["{n} initiative point{s}", ({ n }) => counted(n, "Initiativpunkt", "Initiativpunkte")],
  ["{n} {sex}", "{n} {sex}"],
  ["{n} face-down tile", "{n} verdecktes Plättchen"],
  ["{n} face-down tiles", "{n} verdeckte Plättchen"],
  ["+{n} threshold", "Schwelle +{n}"],
  ["a mission", "eine Mission"],
  ["a marriage", "eine Heirat"],
  ["offspring", "Nachwuchs"],
  ["a free helper", "ein kostenloser Helfer"],
  ["half the die in VP", "halber Würfelwert in SP"],
]);
const effect = new List(part, ", ");
const price = new Phrases({ n, s }, [
  ["for {n} Florin{s}", "für {n} Florin"],
  ["at no cost", "ohne Kosten"],
]);

/** What gives an effect. */
const origin = new Phrases({ color, n, assignment, bonusTile }, [
  ["signoria {color}", "Signoria {color}"],
  ["helper {color} {n}", "Helfer {color} {n}"],
  ["assignment {assignment}", "Auftrag {assignment}"],
  ["bonus tile {bonusTile}", "Bonusplättchen {bonusTile}"],
  ["the helper", "den Helfer"],
]);

/** @type {[string, string, string | ((parts: any) => string)][]} */
const DEEDS = [
  [
    "take",
    "{color} {n} to hire {color:column} {n:slot} {price} ({effect})",
    "Nimm|nimmt {color} {n}: Helfer {column} {slot} {price} ({effect})",
  ],
  [
    "take",
    "{color} {n} to use assignment {assignment} {price} ({effect})",
    "Nimm|nimmt {color} {n}: Auftrag {assignment} {price} ({effect})",
  ],
  [
    "take",
    "{color} {n} to do its Signoria action {price} ({effect})",
    "Nimm|nimmt {color} {n}: Signoria-Aktion {price} ({effect})",
  ],
  ["pass", "", "Passe|passt"],
  ["enter", "the {career} career", "Beginne|beginnt die {career}e Karriere"],
  ["advance", "in the {career} career from slot {n}", "Steige|steigt in der {career}en Karriere von Platz {n} auf"],
  ["take", "one initiative point", "Nimm|nimmt einen Initiativpunkt"],
  ["take", "no more track points", "Verzichte|verzichtet auf weitere Schritte"],
  [
    "send",
    "the male on {career} slot {n} to {city}",
    "Schicke|schickt den Mann von Platz {n} der {career}en Karriere nach {city}",
  ],
  [
    "send",
    "the male on {career} slot {n} to {city} ({n:vp} VP)",
    "Schicke|schickt den Mann von Platz {n} der {career}en Karriere nach {city} ({vp} SP)",
  ],
  ["put", "a face-down tile into the {row} row", "Lege|legt ein verdecktes Plättchen in die {row}"],
  ["take", "Florins instead of the bonus tile", "Nimm|nimmt Florin statt des Bonusplättchens"],
  ["take", "{n} Florin{s} instead of the bonus tile", "Nimm|nimmt {n} Florin statt des Bonusplättchens"],
  ["pay", "Florins for VP", "Bezahle|bezahlt Florin für SP"],
  ["pay", "{n} Florin{s} for {n:vp} VP", "Bezahle|bezahlt {n} Florin für {vp} SP"],
  ["keep", "the Florins", "Behalte|behält die Florin"],
  ["place", "a free helper on {color} {n}", "Setze|setzt einen kostenlosen Helfer auf {color} {n}"],
  ["wed", "a bride", "Feiere|feiert eine Hochzeit"],
  ["wed", "a bride ({effect})", "Feiere|feiert eine Hochzeit ({effect})"],
  ["wed", "no bride", "Feiere|feiert keine Hochzeit"],
  ["spend", "{n} meeple{s}", ({ n }) => `Gib|gibt ${counted(n, "Figur", "Figuren")} ab`],
  ["use", "{origin}", "Nutze|nutzt {origin}"],
  ["use", "{origin} ({effect})", "Nutze|nutzt {origin} ({effect})"],
  ["skip", "{origin}", "Übergehe|übergeht {origin}"],
  [
    "marry",
    "into {city} with a dowry of {n} ({n:vp} VP)",
    "Heirate|heiratet nach {city} mit einer Mitgift von {n} ({vp} SP)",
  ],
  ["take", "the bonus tile {bonusTile}: {effect}", "Nimm|nimmt das Bonusplättchen {bonusTile}: {effect}"],
];
const kinds = { color, n, price, effect, assignment, career, city, row, s, origin, bonusTile };
const toDo = new Phrases(kinds, deeds(DEEDS, 0));
const done = new Phrases(kinds, deeds(DEEDS, 1));
const outcomes = new List(
  new Phrases({ n, signed, source, sex, s }, [
    ["{signed} VP ({source})", "{signed} SP ({source})"],
    ["{signed} Florin{s}", "{signed} Florin"],
    ["{signed} {sex}", "{signed} {sex}"],
    ["a tile of {n} VP", "ein Plättchen mit {n} SP"],
  ]),
  "; ",
);
const gains = new List(new Phrases({ n, source }, [["{source} +{n}", "{source} +{n}"]]), ", ");

const question = new Phrases({ origin }, [
  ["a die or pass", "ein Würfel oder passen"],
  ["meeples to spend on {origin}", "wie viele Figuren für {origin}"],
  ["a track point ({origin})", "ein Schritt ({origin})"],
  ["a mission ({origin})", "eine Mission ({origin})"],
  ["a marriage ({origin})", "eine Heirat ({origin})"],
  ["the row of a face-down tile ({origin})", "die Reihe für ein verdecktes Plättchen ({origin})"],
  ["use {origin} or not", "{origin} nutzen oder nicht"],
  ["bonus or Florins", "Bonus oder Florin"],
  ["a free helper ({origin})", "ein kostenloser Helfer ({origin})"],
  ["wed or not", "Hochzeit oder nicht"],
  ["pay for VP or not", "für SP bezahlen oder nicht"],
]);

const spent = new Phrases({ n, sex }, [
  ["{n} to {n:most} {sex}", "{n} bis {most} {sex}"],
  ["{n} {sex}", "{n} {sex}"],
]);
const costs = new Phrases({ n, s }, [
  ["costs {n} Florin{s}", "kostet {n} Florin"],
  ["costs nothing", "kostet nichts"],
]);
const slot = new Phrases({ n }, [
  ["next empty slot {n}", "nächster freier Platz {n}"],
  ["no empty slot", "kein freier Platz"],
]);
const state = new Phrases({ n, s, dieOf }, [
  ["hired", "angestellt"],
  ["{n} Florin{s}, with a {dieOf} die", "{n} Florin, mit einem {dieOf} Würfel"],
]);
const houses = new List(/\w+/, ", ");
const reward = new Phrases({ n, bonusTile, effect, criterion }, [
  ["{bonusTile}: {effect}, or Florins (S11.4)", "{bonusTile}: {effect}, oder Florin (S11.4)"],
  ["{n} VP for each of your {criterion} (S11.5)", "je {n} SP für deine {criterion} (S11.5)"],
]);
const places = new Phrases(
  {
    ...{ n, color, costs, assignment, spent, effect, city, slot, reward, dieOf, state, career, row },
    houses,
  },
  [
    ["{color} {n}: {costs} on the slot of {n:cost} (S5.3)", "{color} {n}: {costs} auf dem Platz {cost} (S5.3)"],
    [
      "assignment {assignment}: spend {spent} for {effect} (S7.1)",
      "Auftrag {assignment}: Gib {spent} ab für {effect} (S7.1)",
    ],
    [
      "{city}, {slot}: a male of that rank scores the VP of his career slot (S8.2), a female with such a dowry 2 VP a Florin (S8.5)",
      "{city}, {slot}: Ein Mann dieses Rangs bringt die SP seines Karriereplatzes (S8.2), eine Frau mit solcher Mitgift 2 SP je Florin (S8.5)",
    ],
    ["{city} is not in play (S2.6)", "{city} ist nicht im Spiel (S2.6)"],
    [
      "initiative slot {n}: {n:vp} VP at the end of the round (S11.1); who is further up goes first (S11.2)",
      "Initiative, Platz {n}: {vp} SP am Ende der Runde (S11.1); wer weiter oben steht, ist früher dran (S11.2)",
    ],
    ["reward of round {n}: {reward}", "Belohnung der Runde {n}: {reward}"],
    [
      "{color} slot {n}: a die costs what it lacks to {n:same} (S5.3); its Signoria: {effect} (S8)",
      "{color}, Platz {n}: Ein Würfel kostet, was ihm auf {same} fehlt (S5.3); Signoria: {effect} (S8)",
    ],
    [
      "helper {color} {n}: {effect} with each {dieOf} die (S6.3); {state} (S6.1)",
      "Helfer {color} {n}: {effect} mit jedem {dieOf} Würfel (S6.3); {state} (S6.1)",
    ],
    [
      "{career} slot {n}: rank {n:rank}, {n:vp} VP in a mission (S8.2), half at the end (S12.1)",
      "{career}e Karriere, Platz {n}: Rang {rank}, {vp} SP in einer Mission (S8.2), am Ende die Hälfte (S12.1)",
    ],
    [
      "{row} row, for tiles of {houses}: it scores from three tiles on (S10.1, S12.2)",
      "{row} für Plättchen von {houses}: Sie zählt ab drei Plättchen (S10.1, S12.2)",
    ],
    [
      "Florins: pay for dice, helpers and dowries; worth nothing at the end (S5.3)",
      "Florin: bezahlen Würfel, Helfer und Mitgift; am Ende nichts wert (S5.3)",
    ],
    [
      "males and females available: to spend, to enter careers, to marry (S7.1)",
      "Verfügbare Männer und Frauen: für Aufträge, Karrieren und Heiraten (S7.1)",
    ],
    [
      "general stock: offspring come from it, and spent meeples go there (S7.3)",
      "Allgemeiner Vorrat: Nachwuchs kommt von hier, abgegebene Figuren kommen hierher (S7.3)",
    ],
    [
      "sum of your dice; at most this brings the round's reward (S11.3)",
      "Summe deiner Würfel; bis zu dieser Schwelle bringt sie die Belohnung der Runde (S11.3)",
    ],
    [
      "brides: VP, and one more die for each with offspring (S11.4, S8.3)",
      "Bräute: SP, und bei Nachwuchs für jede ein Würfel mehr (S11.4, S8.3)",
    ],
  ],
);

const refusals = new Phrases({ question, n, s, color, dieOf, spent }, [
  ["now you decide: {question}", "du entscheidest gerade: {question}"],
  [
    "dice bring missions, marriages and track points (S5.3)",
    "Missionen, Heiraten und Schritte bekommst du durch Würfel (S5.3)",
  ],
  ["{n} dice a round at most: pass (S5.2)", "höchstens {n} Würfel je Runde: passe (S5.2)"],
  [
    "you have a {dieOf} die in this round: one of a colour (S5.2)",
    "du hast in dieser Runde schon einen {dieOf} Würfel: einen je Farbe (S5.2)",
  ],
  ["there is no {dieOf} die left (S5.1)", "es gibt keinen {dieOf} Würfel mehr (S5.1)"],
  ["it costs {n} Florin{s}, you have {n:held} (S5.3)", "er kostet {n} Florin, du hast {held} (S5.3)"],
  [
    "you can't pay for any whole action with it, or none is possible (S5.4)",
    "du kannst damit keine ganze Aktion bezahlen, oder es ist keine möglich (S5.4)",
  ],
  ["it takes {spent}, you have {n} (S7.1)", "dafür brauchst du {spent}, du hast {n} (S7.1)"],
  [
    "a {dieOf} die costs {n} Florin{s}, you have {n:held} (S5.3)",
    "mit einem {dieOf} Würfel kostet das {n} Florin, du hast {held} (S5.3)",
  ],
  [
    "it has nothing to do now, or you can't pay for all of it (S5.4)",
    "es würde jetzt nichts bewirken, oder du kannst nicht alles bezahlen (S5.4)",
  ],
  ["you have this helper (S6.1)", "diesen Helfer hast du schon (S6.1)"],
  ["no helper is left in the supply (S6.1)", "im Vorrat ist kein Helfer mehr (S6.1)"],
  [
    "costs {n} Florin{s} with the {dieOf} die, you have {n:held} (S6.1, S5.3)",
    "kostet mit dem {dieOf} Würfel {n} Florin, du hast {held} (S6.1, S5.3)",
  ],
]);

const tile = /[a-z]\d|-/;
const values = new List(/[\d-]/, " ");
const there = new List(new Phrases({ name, n }, [["{name}: {n}", "{name}: {n}"]]), ", ");
const notes = { "": "", ", passed": ", gepasst", ", won": ", gewinnt" };
const helpers = new List(
  new Phrases({ n, effect }, [["{n}: {n:cost} for {effect}", "{n}: {cost} für {effect}"]]),
  "; ",
);
const held = new List(
  new Phrases({ color, slots: new List(n, " ") }, [["{color} {slots}", "{color} {slots}"]]),
  ", ",
);
const males = new List(new Phrases({ n }, [["{n} on slot {n:slot}", "{n} auf Platz {slot}"]]), ", ");
const discs = new List(
  new Phrases({ name, n }, [["{name} on slot {n}", "{name} auf Platz {n}"]]),
  ", ",
);
const rewards = new List(
  new Phrases({ n, bonusTile, effect, criterion }, [
    ["{n}. {bonusTile} ({effect})", "{n}. {bonusTile} ({effect})"],
    ["{n}. {n:vp} VP for each of the {criterion}", "{n}. je {vp} SP für {criterion}"],
  ]),
  "; ",
);
const shields = new List(/\w+/, " ");
// What drawings write, and what they show in words.
const labels = new Phrases(
  {
    ...{ n, s, color, board, track, row, assignment, bonusTile, one, effect, notes, tile, city },
    ...{ values, there, helpers, sex, held, males, discs, rewards, shields },
  },
  [
    ["dice and assignments", "Würfel und Aufträge"],
    ["cities", "Städte"],
    ["rewards", "Belohnungen"],
    ["board", "Tafel"],
    ["board {board}", "Tafel {board}"],
    ["{color}", "{color}"],
    ["{color} {n}", "{color} {n}"],
    ["{track}", "{track}"],
    ["{assignment}", "{assignment}"],
    ["{bonusTile}", "{bonusTile}"],
    ["per {one}", "je {one}"],
    ["{n} VP", "{n} SP"],
    ["{n} alliance tiles face down", "{n} Bündnisplättchen verdeckt"],
    ["{n} helpers in the supply", "{n} Helfer im Vorrat"],
    ["not in play", "nicht im Spiel"],
    ["available", "frei"],
    ["in stock", "im Vorrat"],
    ["brides", "Bräute"],
    ["dice {n} of at most {n:most}", "Augen {n}, höchstens {most}"],
    ["{n} Florins{notes}", "{n} Florin{notes}"],
    ["{color} dice {values} cost {n}: {effect}", "{color}: Würfel {values}, Kosten {n}: {effect}"],
    [
      "assign {n}: {assignment}, ..{n:most} {sex} for {effect}",
      "Auftrag {n}: {assignment}, 1 bis {most} {sex} für {effect}",
    ],
    ["assign {n}: {assignment}, {n:meeples} {sex} for {effect}", "Auftrag {n}: {assignment}, {meeples} {sex} für {effect}"],
    ["hires in {color}; helpers {helpers}", "stellt an in {color}; Helfer {helpers}"],
    [
      "{city} marriage {tile} mission {tile:other} empty {values}",
      "{city}: Heirat {tile}, Mission {other}, frei {values}",
    ],
    [
      "{city} marriage {tile} mission {tile:other} empty {values} {there}",
      "{city}: Heirat {tile}, Mission {other}, frei {values}; {there}",
    ],
    ["{n} tiles face down", "{n} Plättchen verdeckt"],
    ["initiative slots of {values} VP; {n} helpers", "Plätze der Initiative mit {values} SP; {n} Helfer"],
    ["{discs}", "{discs}"],
    ["rewards by round: {rewards}", "Belohnungen der Runden: {rewards}"],
    [
      "dice {values} initiative slot {n}, {n:height}. from below",
      "Würfel {values}; Initiative Platz {n}, {height}. von unten",
    ],
    [
      "available {n}m {n:b}f, in stock {n:c}m {n:d}f, on the threshold {n:e}m {n:f}f; {n:g} of {n:h} brides",
      "frei {n} m {b} w, im Vorrat {c} m {d} w, auf der Schwelle {e} m {f} w; {g} von {h} Bräuten",
    ],
    ["helpers: none", "Helfer: keine"],
    ["helpers: {held}", "Helfer: {held}"],
    ["{track}: nobody", "{track}: niemand"],
    ["{track}: {males}", "{track}: {males}"],
    ["{row} row {shields}: none, {n} face down, {n:vp} VP", "{row} {shields}: keine, {n} verdeckt, {vp} SP"],
    ["{row} row {shields}: {shields:held}, {n} face down, {n:vp} VP", "{row} {shields}: {held}, {n} verdeckt, {vp} SP"],
  ],
);

const advice = new Phrases({}, [
  [
    "A die costs what it lacks to the slot's number (S5.3). Hire helpers early: they act whenever a die comes into their column (S6.3). Dice of 13 or less in sum bring the reward (S11.3).",
    "Ein Würfel kostet, was ihm zur Zahl des Platzes fehlt (S5.3). Stelle früh Helfer an: Sie handeln bei jedem Würfel in ihrer Spalte (S6.3). Würfel mit zusammen höchstens 13 bringen die Belohnung (S11.3).",
  ],
  [
    "Each meeple that you spend does the effect once more (S7.2).",
    "Jede Figur, die du abgibst, löst die Wirkung noch einmal aus (S7.2).",
  ],
  [
    "Higher slots score more in missions (S8.2), and half in the end (S12.1). Slot 4 brings 2 Florins, slot 6 a step of initiative (S9.2).",
    "Höhere Plätze bringen in Missionen mehr (S8.2) und am Ende die Hälfte (S12.1). Platz 4 bringt 2 Florin, Platz 6 einen Schritt Initiative (S9.2).",
  ],
  [
    "He scores the points of the slot that he leaves, and the city's tile joins the row of his career if its House is missing there (S8.2, S10.2).",
    "Er bringt die Punkte des Platzes, den er verlässt; das Plättchen der Stadt kommt in die Reihe seiner Karriere, wenn dort sein Haus fehlt (S8.2, S10.2).",
  ],
  [
    "Each Florin of the dowry scores 2 points (S8.5). Look at the tile, too: a row scores only from three tiles on (S12.2).",
    "Jeder Florin der Mitgift bringt 2 Punkte (S8.5). Achte auch auf das Plättchen: Eine Reihe zählt erst ab drei Plättchen (S12.2).",
  ],
  [
    "A row scores only from three tiles on; a face-down tile is worth 1 and fits any row (S12.2).",
    "Eine Reihe zählt erst ab drei Plättchen; ein verdecktes ist 1 wert und passt in jede (S12.2).",
  ],
  [
    "Helpers are free: skip one only if its effect would harm you (S6.3).",
    "Helfer handeln umsonst: Übergehe einen nur, wenn seine Wirkung dir schaden würde (S6.3).",
  ],
  ["The round's bonus, or 3 Florins (S11.4).", "Der Bonus der Runde oder 3 Florin (S11.4)."],
  [
    "A helper acts for the rest of the game. Choose a column in which you often have a die (S6.3).",
    "Ein Helfer handelt bis zum Ende des Spiels. Wähle eine Spalte, in der du oft einen Würfel hast (S6.3).",
  ],
  [
    "A bride brings points, from round 2 also 2 Florins, and one more die for offspring (S11.4, S8.3).",
    "Eine Braut bringt Punkte, ab Runde 2 auch 2 Florin, und einen Würfel mehr für Nachwuchs (S11.4, S8.3).",
  ],
  [
    "Florins are worth nothing in the end: 5 of them are 5 points here (S11.5).",
    "Florin sind am Ende nichts wert: Hier sind 5 davon 5 Punkte (S11.5).",
  ],
]);

export const signorie = new Phrases(
  { n, toDo, done, outcomes, gains, question, places, refusals, labels, advice, source, gainsOfAll },
  [
    ["{labels}", "{labels}"],
    ["{toDo}", "{toDo}"],
    ["{done}", "{done}"],
    ["{done}; {outcomes}", "{done}; {outcomes}"],
    ["{places}", ({ places }) => `${places[0].toUpperCase()}${places.slice(1)}`],
    ["{refusals}", "{refusals}"],
    ["{advice}", "{advice}"],
    ["Round {n}: {question}", "Runde {n}: {question}"],
    ["Round {n} begins", "Runde {n} beginnt"],
    ["The game is over", "Das Spiel ist zu Ende"],
    ["the last round", "die letzte Runde"],
    ["{n} more round", "noch {n} Runde"],
    ["{n} more rounds", "noch {n} Runden"],
    ["Initiative is scored: {gainsOfAll}", "Wertung der Initiative: {gainsOfAll}"],
    ["scores {gains}: {n} points", ({ gains, n }) => `erhält ${gains}: ${counted(n, "Punkt", "Punkte")}`],
    ["scores nothing more: {n} points", ({ n }) => `erhält nichts mehr: ${counted(n, "Punkt", "Punkte")}`],
    ["{n}. in the turn order", "{n}. der Reihenfolge"],
    ["{n}. in the turn order, has passed", "{n}. der Reihenfolge, gepasst"],
    ["effects", "Wirkungen"],
    ["end", "Ende"],
    [
      "a reconstruction: most values are not those of the printed game",
      "eine Nachbildung: Die meisten Werte sind nicht die des gedruckten Spiels",
    ],
    ["SIGNORIE · RECONSTRUCTION", "SIGNORIE · NACHBILDUNG"],
    ["Signorie: reconstruction", "Signorie: Nachbildung"],
    ["{source}", "{source}"],
  ],
);
