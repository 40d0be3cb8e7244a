// The server of the table, in Python: it answers requests that come as messages with a port.

"use strict";

const PACKAGES = "/home/pyodide/packages";
const KEPT = "gonzaga-play"; // what the browser calls the lock and the database of the tables
const SAVE_MS = 300;

let loaded = 0;
let door = null;
let number = 0;

self.onmessage = ({ data, ports }) => {
  if (data.path) start(data.path).catch((error) => self.postMessage({ failed: error.message }));
  else answer(data, ports[0]);
};

/** Loads everything and starts the server, whose pages are below a path. */
async function start(path) {
  await takeLock();
  countBytes();
  importScripts("pyodide/pyodide.js", "sql/sql-wasm.js");
  const [python, packages, sql] = await Promise.all([
    self.loadPyodide({ indexURL: new URL("pyodide/", self.location.href).href }),
    fetch("packages.zip").then((response) => response.arrayBuffer()),
    self.initSqlJs({ locateFile: (name) => `sql/${name}` }),
  ]);
  self.postMessage({ stage: "starting" });
  python.unpackArchive(packages, "zip", { extractDir: PACKAGES });
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  const shelf = await openShelf();
  let kept = await readKept(shelf);
  const makeDoor = () =>
    python.pyimport("gonzaga_table.browser.glue").Door(path, () => openDatabase(sql, shelf, kept));
  try {
    door = makeDoor();
  } catch (error) {
    if (!kept) throw error;
    console.warn("The kept tables cannot be read; starting without them.", error);
    kept = null;
    door = makeDoor();
  }
  self.postMessage({ stage: "ready" });
}

/** Waits until no other tab plays, since two would overwrite each other's tables. */
function takeLock() {
  return new Promise((resolve, reject) => {
    const keep = () => new Promise(() => resolve()); // until the page is closed
    const signal = AbortSignal.timeout(3000); // a page that is loaded again holds it for a moment
    navigator.locks.request(KEPT, { signal }, keep).catch(() =>
      reject(new Error("It is open in another tab of this browser. Play there, or close that tab.")));
  });
}

/** Opens the browser's database; null where there is none, as in some private windows. */
function openShelf() {
  return new Promise((resolve) => {
    const asked = indexedDB.open(KEPT);
    asked.onupgradeneeded = () => asked.result.createObjectStore("files");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => resolve(null);
  });
}

/** Returns the SQLite file that was kept last, if any. */
function readKept(shelf) {
  return new Promise((resolve) => {
    if (!shelf) return resolve(null);
    const asked = shelf.transaction("files").objectStore("files").get("tables");
    asked.onsuccess = () => resolve(asked.result ?? null);
    asked.onerror = () => resolve(null);
  });
}

/** Tells the page how many bytes have been loaded. */
function countBytes() {
  const { fetch } = self;
  self.fetch = async (...asked) => {
    const response = await fetch(...asked);
    if (!response.ok || !response.body) return response;
    const counting = new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        self.postMessage({ loaded });
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counting), { headers: response.headers });
  };
}

/** Returns a database as Python's `browser.database.Database` takes it; changes are kept. */
function openDatabase(sql, shelf, kept) {
  const database = new sql.Database(kept);
  let timer = null;
  const save = () => {
    timer = null;
    shelf.transaction("files", "readwrite").objectStore("files").put(database.export(), "tables");
  };
  return {
    all(statement, values) {
      if (shelf && !statement.startsWith("SELECT")) timer ??= setTimeout(save, SAVE_MS);
      const prepared = database.prepare(statement);
      try {
        prepared.bind(values);
        const rows = [];
        while (prepared.step()) rows.push(prepared.get());
        return rows;
      } finally {
        prepared.free();
      }
    },
    script: (statements) => database.exec(statements),
    close: () => database.close(),
  };
}

/** Answers a request over a port; whoever asked may say "leave" there. */
function answer({ method, target, headers, body }, port) {
  const id = (number += 1);
  port.onmessage = () => door.leave(id);
  door.ask(id, method, target, headers, body, {
    start: (status, told) => port.postMessage({ status, headers: told }),
    send: (content) => port.postMessage({ content }),
    end: () => {
      port.postMessage({});
      port.onmessage = null;
    },
  });
}
