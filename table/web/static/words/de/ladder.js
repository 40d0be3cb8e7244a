/** @type {typeof import("../en/ladder.js").default} */
export default {
  levels: {
    novice: "Neuling",
    beginner: "Anfänger",
    club: "Vereinsspieler",
    expert: "Experte",
    master: "Meister",
  },
  unrated: "ohne Wertung",
  title: "Die Rangliste",
  about:
    "Die Computergegner haben Tausende Partien gegeneinander gespielt. Spiel gewertete Partien gegen " +
    "sie und finde deinen Platz.",
  rungs: "Wer wo steht",
  game: "Spiel",
  players: "Spieler",
  place: "Platz",
  agent: "Spieler",
  rating: "Wertung",
  interval: "95-%-Bereich",
  atMost: (rating) => `≤ ${rating}`,
  between: (low, high) => `${low} bis ${high}`,
  play: "Spielen",
  playAgainst: (agent) => `Gewertete Partie gegen ${agent}`,
  you: "Du",
  yourRating: "Deine Wertung",
  noRating: "Du hast hier noch keine gewertete Partie gespielt.",
  numGames: { one: "nach # Partie", other: "nach # Partien" },
  vague: "Noch ungenau: Ein paar weitere Partien grenzen sie ein.",
  curve: (first, last) => `Deine Wertung Partie für Partie, von ${first} bis jetzt ${last}`,
  yourGames: "Deine gewerteten Partien",
  date: "Datum",
  opponents: "Gegen",
  result: "Ergebnis",
  won: "gewonnen",
  shared: "Sieg geteilt",
  placed: (place, number) => `${place} von ${number}`,
  resigned: "verloren (aufgegeben)",
  abandoned: "verloren (nicht zu Ende gespielt)",
  late: "verloren (Zeit um)",
  conceded: "gewonnen (der andere gab auf)",
  failed: "zählt nicht (ein Computergegner versagte)",
  replaced: "zählt nicht (jemand gab auf)",
  left: "zählt nicht (nicht zu Ende gespielt)",
  address: "zählt nicht (zwei Plätze von einer Adresse)",
  person: (rating) => `ein Mensch (${rating})`,
  goesOn: "läuft",
  open: "Öffnen",
  openGame: (when) => `Die Partie vom ${when} öffnen`,
  how: "So funktioniert es",
  howText: [
    "400 Punkte bedeuten die zehnfache Stärke: Gegen einen 400 Punkte schwächeren Gegner gewinnst du " +
      "zehnmal so oft, wie du verlierst. Der Gegner „greedy“ steht bei 1000, in Signorie „planner“. " +
      "Jedes Spiel und jede Spielerzahl hat eine eigene Rangliste.",
    "An einer gewerteten Partie sitzen ein Mensch oder mehrere, die ihr zustimmen, auf allen anderen " +
      "Plätzen Computergegner mit bekannter Wertung, auf der üblichen Karte mit den üblichen Regeln. Es " +
      "gibt keine Tipps und kein Zurücknehmen, und du spielst immer nur eine gewertete Partie zugleich.",
    "Eine gewertete Partie, die du aufgibst, zählt als verloren. Auch eine, die du liegen lässt: Der " +
      "Server löscht Tische, die niemand benutzt, und wertet die Partie dann als verloren. Versagt ein " +
      "Computergegner, so kostet Aufgeben nichts.",
    "Partien unter Menschen haben eine Bedenkzeit. Wer aufgibt oder keine Zeit mehr hat, verliert: Zu " +
      "zweit gewinnt der andere, zu mehreren zählt die Partie für die anderen nicht. Sie zählt für niemanden, " +
      "wenn ein Computergegner versagt, wenn alle aufhören oder wenn zwei Plätze von einer Adresse aus " +
      "gespielt werden. Andere Menschen haben die Wertung, mit der sie begonnen haben; ohne gewertete " +
      "Partien ist sie 1000.",
    "Deine Wertung ist die wahrscheinlichste Stärke nach allen deinen Partien, gemessen an den " +
      "bekannten der Gegner. Der Bereich sagt, wie sicher sie ist.",
  ],
  key: "Dein Schlüssel",
  keyText:
    "Es gibt kein Benutzerkonto. Dieser Browser hat einen zufälligen Schlüssel, und der Server bewahrt " +
    "deine Partien unter einem Fingerabdruck davon auf, ohne Namen und Adresse. Wer den Schlüssel hat, " +
    "hat deine Wertung.",
  noKey:
    "Du bekommst einen Schlüssel mit deiner ersten gewerteten Partie. Hast du schon einen in einem " +
    "anderen Browser, dann gib ihn hier ein.",
  showKey: "Schlüssel zeigen",
  copyKey: "Kopieren",
  copied: "Kopiert",
  keyLabel: "Dein Schlüssel",
  enterKey: "Schlüssel eines anderen Browsers",
  useKey: "Diesen Schlüssel verwenden",
  badKey: "Ein Schlüssel hat 32 Buchstaben, Ziffern, - und _.",
  replacesKey:
    "Er ersetzt den Schlüssel dieses Browsers. Kopiere den zuerst, wenn du seine Partien behalten " +
    "willst. Weiter?",
  forget: "Vergiss mich",
  forgetSure:
    "Deine Wertungen und alle Ergebnisse auf dem Server löschen, und den Schlüssel in diesem Browser?",
  forgotten: { one: "# Partie wurde gelöscht.", other: "# Partien wurden gelöscht." },
  ratedTable: "Gewertete Partie",
  ratedTableAbout: "ohne Tipps und Zurücknehmen; wer geht, verliert",
  ratingEnded: "Diese Partie ist nicht mehr gewertet. Wie sie zählt, steht auf der",
  resign: "Aufgeben",
  resignSure: "Aufgeben? Die Partie zählt als verloren. Du kannst zum Spaß weiterspielen.",
  resignFailed: "Partie abbrechen? Ein Computergegner hat versagt, deshalb zählt sie nicht.",
};
