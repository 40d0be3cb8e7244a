/** @type {typeof import("../en/lobby.js").default} */
export default {
  learn: "Lernen",
  rules: "Regeln",
  records: "Aufzeichnungen",
  title: "Brettspiele der Renaissance",
  about:
    "Spiel gegen Computergegner von Anfänger bis Meister oder schick Freunden einen Link. Nichts zu " +
    "installieren, keine Anmeldung.",
  aboutHere:
    "Spiele gegen Agenten vom Anfänger bis zum Meister, hier in deinem Browser: Nichts wird gesendet, und von anderen Rechnern kann niemand mitspielen.",
  yourTables: "Deine Tische",
  chooseGame: "Wähle ein Spiel",
  newHere: "Neu hier?",
  firstGame: "Spiel deine erste Partie",
  firstAbout: "Eine kurze Partie mit Trainer, ein neuer Gedanke nach dem anderen.",
  puzzles: "Aufgaben",
  readRules: "Regeln lesen",
  newGame: "Neue Partie",
  name: "Dein Name",
  players: "Spieler",
  whoPlays: "Wer spielt",
  options: "Karte und Regeln",
  map: "Karte",
  scenario: "Szenario",
  leagues: "Seebünde",
  firstCheck: "Ende frühestens nach Runde",
  start: "Partie beginnen",
  guest: "Gast",
  player: (number) => `Spieler ${number}`,
  you: "du",
  someone: "jemand anderes",
  people: "Menschen",
  agents: "Computergegner",
  randomScenario: "ausgelost",
  reconstruction: (name) => `${name} (nachgebildet)`,
  league: {
    each_player: "jeder kann in jedem Meer einen gründen",
    first_only: "in jedem Meer einer für alle zusammen",
  },
  yes: "ja",
  no: "nein",
  numPlayers: (first, last) => `${first} bis ${last} Spieler`,
  games: {
    gonzaga: {
      line: "Lehen legen, gut heiraten, Seebünde gründen",
      about:
        "Alle planen geheim, wohin das nächste Lehen soll, und legen es dann auf die Karte Europas: " +
        "Städte und Häfen zählen sofort, Seebünde und große Gruppen noch mehr. Eine halbe Stunde.",
    },
    tuscany: {
      line: "Bau dein Herzogtum auf, Plättchen für Plättchen",
      about:
        "Karten ziehen, Plättchen nehmen und in dein Herzogtum legen: grüne Punkte jetzt, rote, die " +
        "immer wieder zählen. Eine Stunde.",
    },
    signorie: {
      line: "Bring deine Familie an die Macht, mit Würfeln und Bräuten",
      about:
        "Würfel bezahlen Aktionen, Helfer und Hochzeiten; Söhne machen Karriere, Töchter heiraten " +
        "in die anderen Städte. Anderthalb Stunden.",
    },
  },
  mapNamed: (name) => `Karte ${name}`,
  table: (id) => `Tisch ${id}`,
  waitsFor: (names) => `wartet auf ${names}`,
  resume: "Weiterspielen",
  look: "Ansehen",
  over: "beendet",
  forget: "Vergessen",
  forgetTable: (name) => `${name} vergessen`,
  levels: {
    novice: "Neuling",
    beginner: "Anfänger",
    club: "Vereinsspieler",
    expert: "Experte",
    master: "Meister",
  },
  storesNothing:
    "Dieser Browser speichert nichts: Du kannst spielen, aber er vergisst deine Tische, sobald du ihre Seite schließt.",
};
