// The server of the table, in Python: it answers requests that come as messages with a port.

"use strict";

const PACKAGES = "/home/pyodide/packages";

let loaded = 0;
let door = null;
let number = 0;
const waiting = [];

self.onmessage = ({ data, ports }) => {
  if (data.path) start(data.path).catch((error) => self.postMessage({ failed: String(error) }));
  else if (door) answer(data, ports[0]);
  else waiting.push([data, ports[0]]);
};

/** Loads everything and starts the server, whose pages are below a path. */
async function start(path) {
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
  door = python.pyimport("gonzaga_table.browser.glue").Door(path, () => openDatabase(sql));
  for (const [asked, port] of waiting) answer(asked, port);
  self.postMessage({ stage: "ready" });
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

/** Returns a new database as Python's `browser.database.Database` takes it. */
function openDatabase(sql) {
  const database = new sql.Database();
  return {
    all(statement, values) {
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
