// The choice of a game, by its picture.

import { make } from "../common/dom.js";
import { fill, words } from "../words/index.js";

/** Returns a choice for each game, with a picture of a game in play; `change` runs at a choice. */
export function gameCards(games, chosen, change) {
  return games.map(({ name, title, line, num_players: numbers }) => {
    const told = words.lobby.games[name]; // only of the games of this package, which have pictures here
    const pictures = told ? ["light", "dark"] : [];
    return make(
      "label",
      { class: "game-card" },
      make("input", { type: "radio", name: "game", value: name, checked: name === chosen, onchange: change }),
      ...pictures.map((theme) =>
        make("img", { class: theme, src: `/static/lobby/${name}-${theme}.png`, alt: "", loading: "lazy" }),
      ),
      make("b", {}, title),
      make("span", {}, told?.line ?? line),
      make("small", {}, fill(words.lobby.numPlayers, numbers[0], numbers.at(-1))),
    );
  });
}
