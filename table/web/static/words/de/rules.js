/** @type {typeof import("../en/rules.js").default} */
export default {
  lobby: "Lobby",
  games: "Regeln von",
  contents: "Inhalt",
};
