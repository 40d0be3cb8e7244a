// Why the server refuses a request.

import { Phrases } from "../../phrases.js";
import { n } from "./common.js";

const seat = (number) => `Platz ${Number(number) + 1}`;

/** What errors mean of which `refusals` has no sentence, by their codes. */
export const codes = {
  failed: "Der Server hat das nicht geschafft",
  forbidden: "Das geht hier nicht",
  illegal: "Das ist kein erlaubter Zug",
  malformed: "Der Server versteht diese Anfrage nicht",
  not_found: "Das gibt es hier nicht (mehr)",
  password: "Das Passwort fehlt oder ist falsch",
  revealed: "Seitdem wurde Verdecktes gezeigt",
  stale: "Der Tisch hat sich geändert",
  too_large: "Das ist zu groß",
  too_many: "Das ist gerade zu viel",
};

export const refusals = new Phrases({ n, any: /.+/ }, [
  ["{any} is an agent's name; take another one", "{any} heißt ein Computergegner; nimm einen anderen Namen"],
  ["a player's name takes up to {n} printable letters", "Ein Name hat höchstens {n} druckbare Zeichen"],
  ["a player's name takes visible letters and must not begin with a combining mark",
    "Ein Name braucht sichtbare Zeichen und beginnt nicht mit einem Akzent"],
  ["{n} moves have been made, not {any}; look again", "Inzwischen sind {n} Züge gemacht; sieh noch einmal hin"],
  ["{n} moves have been made; look again", "Inzwischen sind {n} Züge gemacht; sieh noch einmal hin"],
  ["the table has changed; look again", "Der Tisch hat sich geändert; sieh noch einmal hin"],
  ["another hint or a move came first; look again", "Ein anderer Hinweis oder ein Zug kam zuvor; sieh noch einmal hin"],
  ["{n} seats for {any} players", "{n} Plätze für {any} Spieler"],
  ["there is no agent {any} here; there are {any:others}", "{any} gibt es hier nicht; es gibt {others}"],
  ["the agent of seat {n} has not failed", ({ n: number }) => `Auf ${seat(number)} ist kein Computergegner ausgefallen`],
  ["the token is of no seat of this table", "Dein Schlüssel gehört zu keinem Platz an diesem Tisch"],
  ["this takes the token of a seat", "Das kann nur, wer an diesem Tisch sitzt"],
  ["hints are for the seat to act", "Hinweise bekommt, wer am Zug ist"],
  ["previews are for the seat to act, of games shown in blocks", "Eine Vorschau bekommt, wer am Zug ist"],
  ["nobody waits for this answer", "Auf diese Antwort wartet niemand"],
  ["only tables of games with a page of their own answer this", "Das gibt es in diesem Spiel nicht"],
  ["seat {n} asks already", ({ n: number }) => `${seat(number)} fragt schon`],
  ["seat {n} has made no decision yet", ({ n: number }) => `${seat(number)} hat noch nichts entschieden`],
  ["seat {n} has sealed its decision; the others still decide",
    ({ n: number }) => `${seat(number)} hat versiegelt; die anderen entscheiden noch`],
  ["seat {n} is a person's", ({ n: number }) => `Auf ${seat(number)} sitzt ein Mensch`],
  ["seat {n} is to act, not seat {n:other}", ({ n: number, other }) => `${seat(number)} ist am Zug, nicht ${seat(other)}`],
  ["the game is not over", "Die Partie ist nicht zu Ende"],
  ["the game is not over; its record would reveal what is secret",
    "Die Partie ist nicht zu Ende; ihre Aufzeichnung würde Geheimes verraten"],
  ["the game is over", "Die Partie ist zu Ende"],
  ["the others have to agree", "Die anderen müssen zustimmen"],
  ["there is no such puzzle; /learn lists them", "Dieses Rätsel gibt es nicht; /learn zeigt alle"],
  ["there is no such table; unused tables are deleted", "Diesen Tisch gibt es nicht; unbenutzte werden gelöscht"],
  ["too much has been taken back at this table", "An diesem Tisch wurde zu viel zurückgenommen"],
  ["agent {any}: {any:why}", "Computergegner {any}: {why}"],
  ["hidden cards have been shown since", "Seitdem wurde Verdecktes gezeigt"],
  ["its edition is not on offer; start the server with --edition", "Seine Ausgabe bietet der Server nicht an"],
  ["this server holds {n} tables, its limit; one makes room when its game is over, or after a month without use",
    "Hier gibt es {n} Tische, mehr gehen nicht; einer macht Platz, wenn seine Partie zu Ende ist oder ihn einen Monat lang niemand braucht"],
  ["too many pages show this table; close one of them", "Zu viele Seiten zeigen diesen Tisch; schließ eine davon"],
  ["too many analyses at once; try again soon", "Zu viele Auswertungen auf einmal; versuch es gleich wieder"],
  ["The server answered {n}.", "Der Server antwortete mit {n}."],
]);
