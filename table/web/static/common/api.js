// The server's answers. Every request may raise a `TableError`.

import { words } from "../words/index.js";
import { fetchWithPassword } from "./password.js";
import { translator } from "./said.js";

/**
 * A request that failed: `code` as in the protocol, or "offline" if no answer came.
 */
export class TableError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const OFFLINE = words.common.offline;

/** The theme of the page, which the server's drawings follow. */
export const theme = () => document.documentElement.dataset.theme || "light";

async function request(path, options = {}, send = fetch) {
  let response;
  try {
    response = await send(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new TableError("offline", OFFLINE);
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => null);
  const error = answer?.error ?? {
    code: response.status >= 500 ? "offline" : "malformed",
    message: `The server answered ${response.status}.`,
  };
  throw new TableError(error.code, translator.refusal(error));
}

const answerOf = async (response) => translator.answer(await response.json());

const get = async (path, options) => answerOf(await request(path, options));

const post = async (path, body, headers = {}, send = fetch) => {
  const type = { "Content-Type": "application/json" };
  const options = { method: "POST", headers: { ...type, ...headers }, body: JSON.stringify(body) };
  return answerOf(await request(path, options, send));
};

const postWithPassword = (path, body) => post(path, body, {}, fetchWithPassword);

export const options = () => get("/api/options");

/** @type {(settings: any) => Promise<any>} */
export const newTable = (settings) => postWithPassword("/api/tables", settings);

export const readRecords = (text, game) => postWithPassword("/api/records", { text, game });

/** Returns what stays the same of a board, drawn in the page's theme. */
export const board = (address) =>
  get(`${address}${address.includes("?") ? "&" : "?"}theme=${theme()}`);

/** Keeps a record on the server; returns its id. */
export const addGame = (text) => postWithPassword("/api/games", { text });

/** The requests of one finished game. */
export class Game {
  constructor(id) {
    this.path = `/api/games/${encodeURIComponent(id)}`;
  }

  /** Returns what game it is, and who can analyse it. */
  read() {
    return get(this.path);
  }

  /** Returns all positions, drawn; the browser keeps them under the record's digest. */
  drawn(digest) {
    return get(`${this.path}/drawn?v=${digest}`);
  }

  /** Returns what is known of the analysis, or only how far it is where `have` is its version. */
  analysis(agents, have) {
    const query = new URLSearchParams([["have", String(have)], ...agents.map((name) => ["agent", name])]);
    return get(`${this.path}/analysis?${query}`);
  }

  /** Opens a table that begins with the first moves. */
  playOn(asked) {
    return postWithPassword(`${this.path}/tables`, asked);
  }
}

/** The requests of one table, in the name of a seat if there is a token. */
export class Table {
  constructor(id, token) {
    this.path = `/api/tables/${encodeURIComponent(id)}`;
    this.headers = token ? { Authorization: `Bearer ${token}` } : {};
  }

  /** Returns whose turn it is and who sits there, without the position and its drawings. */
  heading() {
    return get(`${this.path}?since=1000`, { headers: this.headers }); // no game has so many moves
  }

  /** Returns the position now. */
  read() {
    return get(`${this.path}?theme=${theme()}`, { headers: this.headers });
  }

  /**
   * Yields the news of the table from what was seen on, `{moves, revision}`; `alive()` is called at
   * each sign of the server. A token must not be in an address, so this is no EventSource.
   */
  async *events({ moves, revision }, signal, alive) {
    const query = `since=${moves + 1}&revision=${revision}&theme=${theme()}`;
    const options = { headers: this.headers, signal };
    const { body } = await request(`${this.path}/events?${query}`, options);
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ; ) {
      const { done, value } = await reader.read().catch((error) => {
        throw error.name === "AbortError" ? error : new TableError("offline", OFFLINE);
      });
      if (done) return;
      alive();
      const events = (rest + value).split("\n\n");
      rest = events.pop();
      for (const event of events) {
        if (event.startsWith("data: ")) yield translator.answer(JSON.parse(event.slice(6)));
      }
    }
  }

  /** Plays an action after `move` moves; returns the new frames. */
  play(move, action) {
    return post(`${this.path}/moves?theme=${theme()}`, { move, action }, this.headers);
  }

  /** Asks for something else than a move: "name", "undo", "agent" or "rematch". */
  change(what, body = {}) {
    return post(`${this.path}/${what}?theme=${theme()}`, body, this.headers);
  }

  /** Returns an agent's best choices for the seat to act. */
  hint(agent) {
    return get(`${this.path}/hint?agent=${encodeURIComponent(agent)}`, { headers: this.headers });
  }

  /** Returns the blocks of a board as an action would change them. */
  preview(action) {
    const query = `action=${action}&theme=${theme()}`;
    return get(`${this.path}/preview?${query}`, { headers: this.headers });
  }

  /** Returns why something may not be played, or null if it may. */
  async refusal(query) {
    const given = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
    );
    return (await get(`${this.path}/refusal?${given}`, { headers: this.headers })).refusal;
  }

  /** Returns what the pieces on Gonzaga's map add up to. */
  overview() {
    return get(`${this.path}/overview`, { headers: this.headers });
  }
}

/** A puzzle: a table at which whoever asks sits in the seat of the question, and nobody moves. */
export class Puzzle extends Table {
  constructor(id) {
    super(id);
    this.path = `/api/puzzles/${encodeURIComponent(id)}`;
  }

  /** Waits for ever: nothing happens at a puzzle. */
  async *events() {
    yield* await new Promise(() => {});
  }

  /** Returns what a choice is worth and, if it is right or with `reveal`, the best one. */
  answer(action, reveal) {
    return post(`${this.path}/answer`, { action, reveal });
  }
}

/** Returns all puzzles, the easier ones first. */
export const puzzles = async () => (await get("/api/puzzles")).puzzles;
