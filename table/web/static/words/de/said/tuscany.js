// The sentences of The Castles of Tuscany.

import { List, Phrases } from "../../phrases.js";
import { counted, deeds, gainsOfAll, n, names } from "./common.js";

const colour = {
  village: "Dorf",
  agriculture: "Landgut",
  wagon: "Fuhrwerk",
  monastery: "Kloster",
  quarry: "Steinbruch",
  city: "Stadt",
  inn: "Gasthaus",
  castle: "Burg",
};
const cardsOf = {
  village: "Dorfkarten",
  agriculture: "Landgutkarten",
  wagon: "Fuhrwerkskarten",
  monastery: "Klosterkarten",
  quarry: "Steinbruchkarten",
  city: "Stadtkarten",
  inn: "Gasthauskarten",
  castle: "Burgkarten",
};
const aColour = {
  "a village": "ein Dorf",
  "an agriculture": "ein Landgut",
  "a wagon": "ein Fuhrwerk",
  "a monastery": "ein Kloster",
  "a quarry": "einen Steinbruch",
  "a city": "eine Stadt",
  "an inn": "ein Gasthaus",
  "a castle": "eine Burg",
};
const theStored = {
  village: "das gelagerte Dorf",
  agriculture: "das gelagerte Landgut",
  wagon: "das gelagerte Fuhrwerk",
  monastery: "das gelagerte Kloster",
  quarry: "der gelagerte Steinbruch",
  city: "die gelagerte Stadt",
  inn: "das gelagerte Gasthaus",
  castle: "die gelagerte Burg",
};
const crop = { olives: "Oliven", grapes: "Trauben", wheat: "Weizen", livestock: "Vieh" };
const bonus = { card: "Karte", storage: "Lager", marble: "Marmor", worker: "Arbeiter", yield: "Ertrag" };
const cell = /[LMR]\d+/;
const letter = /[A-Z]/;
const board = /[ABC]\d/;
const joined = /[ABC+' -]+/;
const crops = new List(crop, ", ");
const piece = new Phrases({ colour, crops }, [
  ["{colour}", "{colour}"],
  ["{colour} ({crops})", "{colour} ({crops})"],
  ["a wooden hexagon", "Holz-Sechseck"],
]);
const aPiece = new Phrases({ aColour, crops }, [
  ["{aColour}", "{aColour}"],
  ["{aColour} ({crops})", "{aColour} ({crops})"],
]);
const stored = new Phrases({ theStored, crops }, [
  ["{theStored}", "{theStored}"],
  ["{theStored} ({crops})", "{theStored} ({crops})"],
  ["wooden hexagon", "das gelagerte Holz-Sechseck"],
]);
const pieces = new List(piece, ", ");
const held = new List(new Phrases({ n, colour }, [["{n} {colour}", "{n} {colour}"]]), ", ");
const bonuses = new List(new Phrases({ n, bonus }, [["{n} {bonus}", "{n} {bonus}"]]), ", ");

/** Sources of points. */
const source = {
  zones: "Gebiete",
  colours: "Farben",
  crops: "Erzeugnisse",
  yield: "Ertrag",
  "yield green": "Ertrag, grün",
  "yield red": "Ertrag, rot",
  "full storage": "volles Lager",
  "round 1": "Runde 1",
  "round 2": "Runde 2",
  "round 3": "Runde 3",
  storage: "Lager",
  tiles: "Plättchen",
  hexagons: "Holz-Sechsecke",
  marble: "Marmor",
  workers: "Arbeiter",
  cards: "Karten",
};
const track = { green: "grün", red: "rot" };

// What is paid, after "mit".
const unit = new Phrases({ cardsOf }, [
  ["a card of the colour", "einer Karte der Farbe"],
  ["two cards of the colour", "zwei Karten der Farbe"],
  ["a worker", "einem Arbeiter"],
  ["two workers", "zwei Arbeitern"],
  ["two {cardsOf} cards", "zwei {cardsOf}"],
  ["four {cardsOf} cards", "vier {cardsOf}"],
]);

const shifted = { "": "", " half a hex lower": " ein halbes Feld tiefer", " half a hex higher": " ein halbes Feld höher" };
const side = { "": "", " turned": " gedreht" };
const layout = new List(
  new Phrases({ letter, side, shifted }, [["{letter}{side}{shifted}", "{letter}{side}{shifted}"]]),
  ", ",
);

/** @type {[string, string, string][]} */
const DEEDS = [
  ["draw", "cards", "Ziehe|zieht Karten"],
  ["take", "a bonus tile +1 {bonus}", "Nimm|nimmt das Bonusplättchen +1 {bonus}"],
  ["take", "{aPiece}", "Nimm|nimmt {aPiece}"],
  ["lay", "{aPiece}", "Lege|legt {aPiece}"],
  ["place", "a tile on {cell}", "Lege|legt ein Plättchen auf {cell}"],
  ["place", "a tile on {cell} ({piece})", "Lege|legt ein Plättchen auf {cell} ({piece})"],
  ["place", "a wooden hexagon on {cell}", "Lege|legt ein Holz-Sechseck auf {cell}"],
  ["place", "a wooden hexagon on {cell} ({piece})", "Lege|legt ein Holz-Sechseck auf {cell} ({piece})"],
  ["place", "no tile", "Lege|legt kein Plättchen"],
  ["remove", "{piece} from storage", "Entferne|entfernt aus dem Lager: {piece}"],
  ["pay", "a marble for one more action", "Gib|gibt einen Marmor für eine weitere Aktion"],
  ["pay", "{unit}", "Bezahle|bezahlt mit {unit}"],
  ["pay", "{unit} and {unit:other}", "Bezahle|bezahlt mit {unit} und {other}"],
  ["end", "the turn", "Beende|beendet den Zug"],
  ["join", "the boards: {layout}", "Füge|fügt die Tafeln zusammen: {layout}"],
];
const kinds = { n, bonus, aPiece, cell, piece, unit, layout };
const toDo = new Phrases(kinds, deeds(DEEDS, 0));
const done = new Phrases(kinds, [
  ...deeds(DEEDS, 1),
  ["has joined the boards", "hat die Tafeln zusammengefügt"],
  ["has set the starting castle", "hat die Startburg gesetzt"],
]);
const loss = new Phrases({ stored }, [
  ["a stored piece leaves the game", "ein gelagertes Teil kommt aus dem Spiel"],
  ["the stored {stored} leaves the game", "{stored} kommt aus dem Spiel"],
]);
const outcome = new Phrases({ n, track, source, held, bonus, pieces, loss }, [
  ["{loss}", "{loss}"],
  ["+{n} {track} ({source})", "+{n} {track} ({source})"],
  ["+{n} card ({held})", "+{n} Karte ({held})"],
  ["+{n} cards ({held})", "+{n} Karten ({held})"],
  ["+{n} card", "+{n} Karte"],
  ["+{n} cards", "+{n} Karten"],
  ["+{n} marble", "+{n} Marmor"],
  ["+{n} worker", "+{n} Arbeiter"],
  ["+{n} bonus tile +1 {bonus}", "+{n} Bonusplättchen +1 {bonus}"],
  ["turned up: {pieces}", "aufgedeckt: {pieces}"],
]);
const outcomes = new List(outcome, "; ");
const gain = new Phrases({ n, source }, [["{source} +{n}", "{source} +{n}"]]);
const gains = new List(gain, ", ");

const question = new Phrases({ cell }, [
  ["join the boards", "die Tafeln zusammenfügen"],
  ["set the starting castle", "die Startburg setzen"],
  ["a first bonus tile", "ein erstes Bonusplättchen"],
  ["draw, take or place", "ziehen, nehmen oder legen"],
  ["what to remove from storage", "was aus dem Lager weicht"],
  ["which tile for {cell}", "welches Plättchen auf {cell}"],
  ["what to pay for {cell}", "womit {cell} bezahlt wird"],
  ["a bonus tile for the city", "ein Bonusplättchen für die Stadt"],
  ["a tile for the castle", "ein Plättchen für die Burg"],
  ["a marble for one more action", "ein Marmor für eine weitere Aktion"],
]);

/** What tiles do, with the rule. */
const effect = {
  "a worker, who pays like a card of any colour (T8.6)":
    "ein Arbeiter, der wie eine Karte jeder Farbe zahlt (T8.6)",
  "1 green for each crop that its zone lacks (T8.4)":
    "1 grüner Punkt für jedes Erzeugnis, das dem Gebiet noch fehlt (T8.4)",
  "a yield card (T8.8)": "eine Ertragskarte (T8.8)",
  "3 region cards (T8.7)": "3 Regionskarten (T8.7)",
  "a marble, for one more action (T8.5, T3.2)": "ein Marmor für eine weitere Aktion (T8.5, T3.2)",
  "a bonus tile (T8.2)": "ein Bonusplättchen (T8.2)",
  "a wooden hexagon, which fits any colour (T8.3)": "ein Holz-Sechseck, das auf jede Farbe passt (T8.3)",
  "one more tile from the display, without paying (T8.1)":
    "ein weiteres Plättchen aus der Auslage, ohne zu bezahlen (T8.1)",
};
const bonusEffect = {
  "one more card with each draw (T4.1)": "eine Karte mehr bei jedem Ziehen (T4.1)",
  "one more storage space, and 2 green (T9.1, T9.3)":
    "ein Lagerplatz mehr, dazu 2 grüne Punkte (T9.1, T9.3)",
  "one more marble from each quarry (T8.5)": "ein Marmor mehr von jedem Steinbruch (T8.5)",
  "one more worker from each village (T8.6)": "ein Arbeiter mehr von jedem Dorf (T8.6)",
  "one more yield card from each wagon (T8.8)": "eine Ertragskarte mehr von jedem Fuhrwerk (T8.8)",
};
const hexagon = "Holz-Sechseck: liegt auf einem Feld jeder Farbe und wirkt wie dessen Plättchen (T6.3)";
const told = new Phrases({ piece, effect }, [
  ["{piece}: {effect}", "{piece}: {effect}"],
  ["wooden hexagon: lies on a hex of any colour, and acts as its tile (T6.3)", hexagon],
]);
const places = new Phrases({ n, cell, told, piece, colour, cardsOf, bonus, bonusEffect }, [
  ["{told}. Take it into storage (T5.1)", "{told}. Nimm es ins Lager (T5.1)"],
  ["{cell}, {told}. Costs two units (T6.2)", "{cell}, {told}. Kostet zwei Einheiten (T6.2)"],
  ["{cell}, covered: {piece} (T7.1)", "{cell}, belegt: {piece} (T7.1)"],
  ["{cell}, covered: a wooden hexagon as {piece} (T7.1)", "{cell}, belegt: ein Holz-Sechseck als {piece} (T7.1)"],
  ["stored {told}. 1 red at the end (T11.2)", "Im Lager, {told}. Am Ende 1 roter Punkt (T11.2)"],
  [
    "{told}. Green for the first and second player whose region has all of them covered (T7.2)",
    "{told}. Grüne Punkte für die beiden, die als Erste alle in ihrer Region belegen (T7.2)",
  ],
  [
    "{cardsOf} cards: each pays a unit on {colour}, two of them one elsewhere (T6.2)",
    "{cardsOf}: Jede zahlt eine Einheit auf dieser Farbe ({colour}), zwei zahlen eine auf einer anderen (T6.2)",
  ],
  ["bonus tile +1 {bonus}: {bonusEffect}", "Bonusplättchen +1 {bonus}: {bonusEffect}"],
  [
    "region cards: draw 2, and 1 more for each +1 card tile (T4.1)",
    "Regionskarten: Zieh 2 und 1 mehr für jedes Bonusplättchen +1 Karte (T4.1)",
  ],
  ["yield cards: a wagon turns one up (T8.8)", "Ertragskarten: Ein Fuhrwerk deckt eine auf (T8.8)"],
  [
    "neutral tiles: fill the display where own stacks are empty (T5.4)",
    "Neutrale Plättchen: füllen die Auslage, wenn eigene Stapel leer sind (T5.4)",
  ],
  [
    "marble: one more action in a turn (T3.2), or 1 red at the end (T11.2)",
    "Marmor: eine weitere Aktion im Zug (T3.2) oder am Ende 1 roter Punkt (T11.2)",
  ],
  [
    "workers: each pays a unit of any colour (T6.2), or 1 red at the end (T11.2)",
    "Arbeiter: Jeder zahlt eine Einheit jeder Farbe (T6.2) oder ist am Ende 1 roter Punkt (T11.2)",
  ],
  [
    "own stacks: refill the display; the 7th, 14th and 21st tile end rounds (T5.3, T10.1)",
    "Eigene Stapel: füllen die Auslage nach; das 7., 14. und 21. Plättchen beendet eine Runde (T5.3, T10.1)",
  ],
]);

const refusals = new Phrases({ question, cell, colour, cardsOf }, [
  ["now you decide: {question}", "du entscheidest gerade: {question}"],
  ["a city brings a bonus tile (T8.2)", "ein Bonusplättchen bringt dir eine Stadt (T8.2)"],
  [
    "no empty hex of its colour touches what you have covered (T8.1)",
    "kein leeres Feld dieser Farbe grenzt an ein belegtes (T8.1)",
  ],
  ["{cell} is covered (T6.1)", "{cell} ist belegt (T6.1)"],
  [
    "{cell} is a hex for {colour}; the starting castle lies on a castle hex (T2.4)",
    "{cell} ist kein Burgfeld ({colour}); die Startburg liegt auf einem Burgfeld (T2.4)",
  ],
  ["{cell} touches no covered hex (T6.1)", "{cell} grenzt an kein belegtes Feld (T6.1)"],
  ["no {colour} is on display (T8.1)", "in der Auslage liegt nichts davon: {colour} (T8.1)"],
  [
    "your storage holds nothing for {cell}: {colour}, or a wooden hexagon (T6.1, T6.3)",
    "dein Lager hat nichts für {cell}: {colour} oder ein Holz-Sechseck (T6.1, T6.3)",
  ],
  [
    "you can't pay two units for {cell}: {cardsOf} cards, pairs, or workers (T6.2)",
    "du kannst für {cell} keine zwei Einheiten bezahlen: {cardsOf}, Paare oder Arbeiter (T6.2)",
  ],
  [
    "cards and workers pay for a tile that you place (T6.2)",
    "mit Karten und Arbeitern bezahlst du ein Plättchen, das du legst (T6.2)",
  ],
  [
    "a marble is paid after the turn's action, for one more (T3.2)",
    "einen Marmor gibst du nach der Aktion des Zuges für eine weitere (T3.2)",
  ],
  [
    "no empty hex of its colour touches what you have covered, or you can't pay (T6.1, T6.2)",
    "kein leeres Feld dieser Farbe grenzt an ein belegtes, oder du kannst nicht bezahlen (T6.1, T6.2)",
  ],
]);

const aside = new List(/\d+ [A-Z]+/, ", ");
const pile = new Phrases({ n, aside }, [
  ["{n} face down, {n:other} discarded", "{n} verdeckt, {other} abgelegt"],
  ["{n} face down; set aside: none", "{n} verdeckt; beiseite: keine"],
  ["{n} face down; set aside: {aside}", "{n} verdeckt; beiseite: {aside}"],
  ["{n} face down", "{n} verdeckt"],
]);
const boards = new List(board, " ");
const cells = new List(cell, ", ");
const wooden = { "": "", ", wooden": ", Holz-Sechseck" };
const covered = new List(
  new Phrases({ cell, piece, wooden }, [["{cell} {piece}{wooden}", "{cell} {piece}{wooden}"]]),
  "; ",
);
const left = new Phrases({ n }, [
  ["{n} and then {n:other}", "{n} und dann {other}"],
  ["{n}", "{n}"],
]);
// What drawings write, and what they show in words.
const labels = new Phrases(
  { n, pile, pieces, boards, joined, held, bonuses, cells, covered, colour, left, names },
  [
    ["display", "Auslage"],
    ["supply", "Vorrat"],
    ["region", "Region"],
    ["holdings", "Besitz"],
    ["points for completed colours", "Punkte für vollständige Farben"],
    ["{pile}", "{pile}"],
    ["region cards", "Regionskarten"],
    ["yield cards", "Ertragskarten"],
    ["neutral tiles", "Neutrale"],
    ["bonus tiles", "Bonusplättchen"],
    ["bonus tiles in stock", "Bonusplättchen im Vorrat"],
    ["own stacks", "Stapel"],
    ["boards hidden until all are joined", "Tafeln verdeckt, bis alle liegen"],
    ["storage, {n} of {n:space}", "Lager, {n} von {space}"],
    ["{n} cards, hidden", "{n} Karten, verdeckt"],
    ["{n} card, hidden", "{n} Karte, verdeckt"],
    ["{n} cards", "{n} Karten"],
    ["{n} card", "{n} Karte"],
    ["card", "Karte"],
    ["storage", "Lager"],
    ["marble", "Marmor"],
    ["worker", "Arbeiter"],
    ["workers", "Arbeiter"],
    ["yield", "Ertrag"],
    ["yields", "Ertrag"],
    ["not turned up", "noch nicht aufgedeckt"],
    ["region cards: {pile}", "Regionskarten: {pile}"],
    ["yield cards: {pile}", "Ertragskarten: {pile}"],
    ["neutral tiles: {pile}", "neutrale Plättchen: {pile}"],
    ["bonus tiles: {bonuses}", "Bonusplättchen: {bonuses}"],
    ["bonus tiles: -", "Bonusplättchen: -"],
    ["{colour}: {left} green", "{colour}: {left} grün"],
    ["{colour}: {left} green; completed by {names}", "{colour}: {left} grün; vollständig bei {names}"],
    ["{colour}: nothing green; completed by {names}", "{colour}: nichts mehr; vollständig bei {names}"],
    ["boards {boards} as {joined}", "Tafeln {boards}, zusammengefügt als {joined}"],
    ["boards {boards}", "Tafeln {boards}"],
    ["boards {boards}, joined as {joined}", "Tafeln {boards}, zusammengefügt als {joined}"],
    ["boards hidden", "Tafeln verdeckt"],
    ["hand {held}", "Hand {held}"],
    ["hand {n}", "Hand {n}"],
    ["hand -", "Hand -"],
    ["storage - (of {n})", "Lager - (von {n})"],
    ["storage {pieces} (of {n})", "Lager {pieces} (von {n})"],
    ["marble {n}, workers {n:other}", "Marmor {n}, Arbeiter {other}"],
    ["bonus {bonuses}", "Bonus {bonuses}"],
    ["bonus -", "Bonus -"],
    ["turned {n} own tiles", "{n} eigene Plättchen aufgedeckt"],
    ["covered: nothing", "belegt: nichts"],
    ["covered: {covered}", "belegt: {covered}"],
    ["empty {colour}: {cells}", "leer, {colour}: {cells}"],
  ],
);

const advice = new Phrases({}, [
  [
    "Large zones score more (T7.1), and colours that you complete early score most (T7.2). Join boards so that equal colours touch in groups of three.",
    "Große Gebiete bringen mehr (T7.1), und Farben, die du früh vollständig belegst, am meisten (T7.2). Füge die Tafeln so zusammen, dass gleiche Farben sich zu dritt berühren.",
  ],
  [
    "Your first tiles must touch this castle (T6.1). Choose the one in the middle of zones that you want to complete early.",
    "Deine ersten Plättchen müssen an diese Burg grenzen (T6.1). Wähle die inmitten der Gebiete, die du früh füllen willst.",
  ],
  [
    "+1 card makes every draw better from now on, +1 storage lets you keep a second tile and brings 2 green points (T9.3).",
    "+1 Karte verbessert von nun an jedes Ziehen; mit +1 Lager kannst du ein zweites Plättchen behalten, dazu gibt es 2 grüne Punkte (T9.3).",
  ],
  [
    "Green points of the first round count three times (T11.1), so place early. Take tiles that touch what you have covered, and draw when you can't pay two units (T6.2).",
    "Grüne Punkte der ersten Runde zählen dreimal (T11.1): Lege also früh. Nimm Plättchen, die an belegte Felder passen, und ziehe Karten, wenn du keine zwei Einheiten bezahlen kannst (T6.2).",
  ],
  [
    "Your storage is full: what you remove leaves the game (T5.2).",
    "Dein Lager ist voll: Was du entfernst, kommt aus dem Spiel (T5.2).",
  ],
  [
    "A crop that is new in the zone scores 1 green point (T8.4).",
    "Ein Erzeugnis, das im Gebiet neu ist, bringt 1 grünen Punkt (T8.4).",
  ],
  [
    "Pay with cards whose colour you need least; a worker saves a card of any colour (T6.2).",
    "Bezahle mit Karten, deren Farbe du am wenigsten brauchst; ein Arbeiter spart eine Karte jeder Farbe (T6.2).",
  ],
  [
    "Bonus tiles stay for the game and add up (T9.2): the earlier, the better.",
    "Bonusplättchen gelten bis zum Ende und zählen zusammen (T9.2): je früher, desto besser.",
  ],
  [
    "A castle places one more tile without paying (T8.1). Complete a zone with it, or start a chain: another castle, or a city.",
    "Eine Burg legt ein weiteres Plättchen, ohne zu bezahlen (T8.1). Fülle damit ein Gebiet oder beginne eine Kette: noch eine Burg oder eine Stadt.",
  ],
  [
    "A marble pays for one more action now (T3.2), or is worth 1 red point in the end (T11.2).",
    "Ein Marmor bezahlt jetzt eine weitere Aktion (T3.2) oder ist am Ende 1 roter Punkt (T11.2).",
  ],
]);

export const tuscany = new Phrases(
  {
    ...{ n, piece, toDo, done, loss, outcomes, gains, question, places, refusals, labels, advice },
    ...{ source, gainsOfAll },
  },
  [
    ["{labels}", "{labels}"],
    ["{toDo}", "{toDo}"],
    ["{toDo}; {loss}", "{toDo}; {loss}"],
    ["{done}", "{done}"],
    ["{done}; {outcomes}", "{done}; {outcomes}"],
    ["{loss}", "{loss}"],
    ["{piece}", "{piece}"],
    ["{places}", "{places}"],
    ["{refusals}", "{refusals}"],
    ["{advice}", "{advice}"],
    ["Round {n}, lap {n:lap}: {question}", "Runde {n}, Umlauf {lap}: {question}"],
    ["Over after {n} laps", ({ n }) => `Ende nach ${counted(n, "Umlauf", "Umläufen")}`],
    ["Over after {n} laps (cut off)", ({ n }) => `Ende nach ${counted(n, "Umlauf", "Umläufen")} (abgebrochen)`],
    ["The game is over after {n} laps", ({ n }) => `Das Spiel ist nach ${counted(n, "Umlauf", "Umläufen")} zu Ende`],
    ["The game is cut off after {n} laps", ({ n }) => `Das Spiel wird nach ${counted(n, "Umlauf", "Umläufen")} abgebrochen`],
    ["{n} turns left", "noch {n} Züge"],
    ["{n} turn left", "noch {n} Zug"],
    ["{n} of {n:goal} own tiles turned up", "{n} von {goal} eigenen Plättchen aufgedeckt"],
    ["the round is about to end", "die Runde endet gleich"],
    [
      "Round {n} is scored, green on red: {gainsOfAll}",
      "Wertung der Runde {n}, Grün auf Rot: {gainsOfAll}",
    ],
    ["scores {gains}: {n} points", ({ gains, n }) => `erhält ${gains}: ${counted(n, "Punkt", "Punkte")}`],
    ["scores nothing more: {n} points", ({ n }) => `erhält nichts mehr: ${counted(n, "Punkt", "Punkte")}`],
    ["second action", "zweite Aktion"],
    ["red", "Rot"],
    ["green", "Grün"],
    ["red {n}", "Rot {n}"],
    ["green {n}", "Grün {n}"],
    ["starts", "beginnt"],
    [
      "a reconstruction: not the boards, cards and tiles of the printed game",
      "eine Nachbildung: nicht die Tafeln, Karten und Plättchen des gedruckten Spiels",
    ],
    ["THE CASTLES OF TUSCANY · RECONSTRUCTION", "THE CASTLES OF TUSCANY · NACHBILDUNG"],
    ["The Castles of Tuscany: reconstruction", "The Castles of Tuscany: Nachbildung"],
    ["{source}", "{source}"],
  ],
);
