/** @type {typeof import("../en/options.js").default} */
export default {
  tuscany: {
    presets: { rulebook: "Spielregel", online: "Online-Ausgabe" },
    draw_base: {
      name: "Gezogene Karten",
      about: "Wie viele Regionskarten die Aktion zieht.",
      values: { 2: "2 Karten", 3: "3 Karten" },
    },
    round_end: {
      name: "Ende von Runde 1, 2",
      about: "Wann eine Runde endet, nachdem ein Stapel leer wurde; im Umlauf sind alle einmal am Zug.",
      values: { turn: "nach diesem Zug", lap: "nach dem Umlauf" },
    },
    final_turns: {
      name: "Letzte Züge",
      about: "Wenn ein dritter Stapel leer ist: je ein Zug, oder zuerst der Rest des Umlaufs.",
      values: { one_each: "je ein Zug", lap_then_one: "Umlauf, dann je 1" },
    },
    colour_bonus: {
      name: "Vollständige Farben",
      about: "Was die beiden bekommen, die eine Farbe als Erste vollständig belegen.",
      values: { literal: "1 Punkt, dann 2", ranked: "laut Ausgabe" },
    },
    bonus_gains: {
      name: "+1 Marmor, +1 Arbeiter",
      about: "Gelten diese Bonusplättchen auch für Ertragskarten oder nur für Steinbruch und Dorf?",
      values: { every: "jeder Gewinn", tiles: "nur Plättchen" },
    },
    storage_points: {
      name: "Punkte für +1 Lager",
      about: "Wann dieses Bonusplättchen 2 grüne Punkte bringt.",
      values: { always: "immer", setup: "nur zu Beginn" },
    },
    hexagon_same_turn: {
      name: "Neue Holz-Sechsecke",
      about: "Ob man eines noch im selben Zug legen darf.",
      values: { true: "ja", false: "nein" },
    },
    max_laps: {
      name: "Höchstens Umläufe",
      about: "Nach so vielen Umläufen wird ein Spiel abgebrochen, 1 bis 200.",
      values: {},
    },
  },
};
