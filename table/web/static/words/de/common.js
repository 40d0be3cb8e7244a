/** @type {typeof import("../en/common.js").default} */
export default {
  actions: {
    A: { name: "Häfen", text: "ein Hafen, keine Stadt" },
    B: { name: "Städte", text: "kein Hafen" },
    C: { name: "Bündnis", text: "Stadt und Hafen, oder Heiratsbündnis" },
  },
  sources: ["Städte", "Häfen", "See-Bündnisse", "Spenden", "Gruppe", "Aufgabe"],
  places: ["1.", "2.", "3.", "4."],
  inactiveRegion: "passive Region",
  inactiveRegions: "Passive Regionen",
  privilege: "Königliches Privileg",
  player: (number) => `Spieler ${number}`,
  round: (number, stage) => `Runde ${number} · ${stage}`,
  over: (rounds) => `Ende nach ${rounds} Runden`,
  stages: { plan: "Planen", place: "Einsetzen" },
  language: "Sprache",
  offline: "Der Server antwortet nicht.",
  password: {
    title: "Passwort",
    asked: "Dieser Server verlangt ein Passwort. Frag die Person, die ihn gestartet hat.",
    wrong: "Das Passwort ist falsch. Frag die Person, die diesen Server gestartet hat.",
    usable: "Es besteht aus Buchstaben, Ziffern und Zeichen ohne Akzente.",
    goOn: "Weiter",
  },
  pages: "Seiten",
  lobby: "Übersicht",
  toLobby: "Zur Übersicht",
  tryAgain: "Noch einmal versuchen",
  switchTheme: { light: "Dunkle Farben", dark: "Helle Farben" },
  noTable:
    "Unter dieser Adresse gibt es keinen Tisch. Vielleicht ist der Link unterwegs abgeschnitten worden: " +
    "Öffne ihn noch einmal so, wie du ihn bekommen hast, oder lass ihn dir neu schicken. Tische, die " +
    "niemand benutzt, werden nach einiger Zeit gelöscht.",
  brokenLink:
    "Diese Einladung öffnet keinen Platz: Der Link ist unvollständig oder gehört zu einem anderen " +
    "Tisch. Du schaust zu. Um mitzuspielen, öffne den Link noch einmal so, wie du ihn bekommen hast, " +
    "oder lass ihn dir neu schicken.",
  brokenLinkSeated: (seat) =>
    "Diese Einladung öffnet keinen Platz: Der Link ist unvollständig oder gehört zu einem anderen " +
    `Tisch. Du sitzt hier weiterhin als Spieler ${seat}.`,
  lostSeat:
    "Der Schlüssel dieses Browsers passt nicht mehr zum Platz, deshalb schaust du zu. Öffne deine " +
    "Einladung noch einmal oder bitte die Person darum, die den Tisch eröffnet hat.",
  noPage: "Diese Seite gibt es nicht",
  noPageWhy: "Vielleicht ist die Adresse falsch geschrieben oder ein Link unterwegs abgeschnitten worden.",
};
