// Passes what the table's pages ask for to the page that holds the game, and its answers back.
//
// Addresses below "at/CLIENT/" are answered by the page with that client id (see play.js), which has
// the server in a worker. A service worker may be ended at any time, so it keeps nothing.

"use strict";

const ROOT = new URL("at/", self.registration.scope).pathname;
const GONE = `<!doctype html><meta charset="utf-8"><title>Gonzaga</title>
<p>The page that this game ran in was closed. Open “Play now” again: it has your tables.</p>`;
const NO_BODY = [101, 204, 205, 304];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", ({ data, source, ports: [port] }) => {
  if (data === "who am I") port.postMessage(source.id);
});

self.addEventListener("fetch", (event) => {
  const { origin, pathname, search } = new URL(event.request.url);
  if (origin !== self.location.origin || !pathname.startsWith(ROOT)) return;
  const [id, ...rest] = pathname.slice(ROOT.length).split("/");
  const ended = new Promise((end) => {
    event.respondWith(answer(event.request, id, `/${rest.join("/")}${search}`, end));
  });
  event.waitUntil(ended);
});

/** Returns the answer to a request; `end` is called when all of it has come. */
async function answer(request, id, target, end) {
  const client = await self.clients.get(id);
  if (!client) {
    end();
    return new Response(GONE, { status: 410, headers: { "Content-Type": "text/html" } });
  }
  const { port1: port, port2 } = new MessageChannel();
  const leave = () => {
    port.postMessage("leave");
    end();
  };
  request.signal.addEventListener("abort", leave);
  const asked = {
    method: request.method,
    target,
    headers: JSON.stringify([...request.headers]),
    body: await request.arrayBuffer(),
  };
  return new Promise((resolve) => {
    let stream;
    const body = new ReadableStream({
      start(controller) {
        stream = controller;
      },
      cancel: leave,
    });
    port.onmessage = ({ data: { status, headers, content } }) => {
      if (status) {
        const shown = NO_BODY.includes(status) ? null : body;
        resolve(new Response(shown, { status, headers: JSON.parse(headers) }));
      } else if (content) {
        stream.enqueue(content);
      } else {
        finish(stream);
        end();
      }
    };
    client.postMessage(asked, [port2, asked.body]);
  });
}

/** Closes a stream, which whoever read it may have left. */
function finish(stream) {
  try {
    stream.close();
  } catch {
    // it is closed already
  }
}
