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
      name: "Ende der Runden 1 und 2",
      about: "Wann eine Runde endet, nachdem ein Stapel leer wurde.",
      values: { turn: "nach diesem Zug", lap: "wenn alle gleich oft am Zug waren" },
    },
    final_turns: {
      name: "Letzte Züge",
      about: "Was gespielt wird, nachdem ein dritter Stapel leer ist.",
      values: { one_each: "je ein Zug", lap_then_one: "der Umlauf zu Ende, dann je ein Zug" },
    },
    colour_bonus: {
      name: "Vollständige Farben",
      about: "Was die beiden bekommen, die eine Farbe als Erste vollständig belegen.",
      values: { literal: "1 Punkt, dann 2", ranked: "die Zahlen der Ausgabe" },
    },
    bonus_gains: {
      name: "+1 Marmor und +1 Arbeiter",
      about: "Zu welchen Gewinnen diese Bonusplättchen dazukommen.",
      values: { every: "zu allen, auch von Ertragskarten", tiles: "nur von Steinbruch und Dorf" },
    },
    storage_points: {
      name: "Punkte für +1 Lager",
      about: "Wann dieses Bonusplättchen 2 grüne Punkte bringt.",
      values: { always: "immer", setup: "nur vor dem ersten Zug" },
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
