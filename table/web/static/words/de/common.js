/** @type {typeof import("../en/common.js").default} */
export default {
  actions: {
    A: { name: "Häfen", text: "ein Hafen, keine Stadt" },
    B: { name: "Städte", text: "kein Hafen" },
    C: { name: "Bündnis", text: "Stadt und Hafen, oder Hochzeit" },
  },
  sources: ["Städte", "Häfen", "Seebünde", "Spenden", "Gruppe", "Auftrag"],
  places: ["1.", "2.", "3.", "4."],
  inactiveRegion: "inaktive Region",
  inactiveRegions: "Inaktive Regionen",
  privilege: "Königliches Vorrecht",
  player: (number) => `Spieler ${number}`,
  round: (number, stage) => `Runde ${number} · ${stage}`,
  over: (rounds) => `Ende nach ${rounds} Runden`,
  stages: { planning: "Planen", placing: "Legen" },
};
