/** @type {typeof import("../en/table.js").default} */
export default {
  acts: "am Zug",
  away: "abwesend",
  fief: (number) => `Lehen ${number}`,
  locked: (cards) => `${cards}: in dieser Runde gesperrt`,
  objective: (held, points) => `Dein Auftrag: ${held} von 6 Städten, ${points} Punkte`,
  planning: "plant…",
  points: "Punkte",
  ready: "bereit",
  rings: (number) => `noch ${number} Ringe`,
  winner: "gewinnt",
};
