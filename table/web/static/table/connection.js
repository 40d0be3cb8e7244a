// The line to the server: waits for news of a table, and tries again when it is lost.

import { TableError } from "../common/api.js";

const RETRY = [1000, 2000, 4000, 8000]; // milliseconds before the next attempts

const sleep = (time) =>
  new Promise((resolve) => {
    setTimeout(resolve, time);
  });

/**
 * Follows a table. `since()` returns the first move wanted; `news(answer)` gets every answer;
 * `lost(error)` and `found()` are called when the connection goes and comes back.
 */
export async function follow({ table, since, news, lost, found, running }) {
  let failures = 0;
  while (running()) {
    try {
      const answer = await table.wait(since());
      if (failures) found();
      failures = 0;
      news(answer);
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      lost(error);
      if (["forbidden", "not_found"].includes(error.code)) return;
      await sleep(Math.max(RETRY[Math.min(failures, RETRY.length - 1)], 1000 * error.seconds));
      failures += 1;
    }
  }
}
