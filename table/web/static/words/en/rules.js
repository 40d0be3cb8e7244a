export default {
  lobby: "Lobby",
  games: "Rules of",
  contents: "Contents",
};
