// The line to the server: a stream of news of a table, opened again when it breaks.

import { TableError } from "../common/api.js";

const RETRY = [200, 1000, 2000]; // milliseconds before the next attempts
const SILENCE = 25_000; // milliseconds after which a line without a sign of life is given up
const WAKING = ["online", "focus", "pageshow"];

/**
 * Follows a table for as long as the page is open. `seen()` returns `{moves, revision}`; `news(answer)`
 * gets every answer; `lost(error)` and `found()` are called when the connection goes and comes back.
 * What it returns opens the stream anew, such as for drawings in another theme.
 */
export function follow({ table, seen, news, lost, found }) {
  let line = new AbortController();
  run();
  return () => line.abort();

  async function run() {
    for (let failures = 0; ; failures += 1) {
      line = new AbortController();
      try {
        await listen(line, (answer) => {
          if (failures > 1) found();
          failures = 0;
          news(answer);
        });
      } catch (error) {
        if (error.name === "AbortError") {
          failures = -1;
          continue;
        }
        if (!(error instanceof TableError)) throw error;
        const gone = ["forbidden", "not_found"].includes(error.code);
        if (failures || gone || error.code !== "offline") lost(error);
        if (gone) return;
        failures = Math.max(failures, error.code === "offline" ? 0 : 1);
        await pause(RETRY[Math.min(failures, RETRY.length - 1)]);
      }
    }
  }

  /** Reads one stream to its end, which is an error as well. */
  async function listen(controller, heard) {
    let watch;
    const alive = () => {
      clearTimeout(watch);
      watch = setTimeout(() => controller.abort(new TableError("offline", "")), SILENCE);
    };
    alive();
    try {
      for await (const answer of table.events(seen(), controller.signal, alive)) heard(answer);
    } finally {
      clearTimeout(watch);
    }
    throw new TableError("offline", "");
  }
}

/** Waits for a while, or until the network or the person is back. */
export function pause(time) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const name of WAKING) removeEventListener(name, done);
      document.removeEventListener("visibilitychange", done);
      resolve();
    };
    const timer = setTimeout(done, time);
    for (const name of WAKING) addEventListener(name, done);
    document.addEventListener("visibilitychange", done);
  });
}
