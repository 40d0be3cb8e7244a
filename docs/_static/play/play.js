// The page "Play now": it loads the game when asked to, and shows the table over the page.

"use strict";

(() => {
  const BASE = new URL("./", document.currentScript.src);
  const box = document.getElementById("play-table");
  if (!box) return;

  const UNABLE =
    "This browser has no service workers here. They need https (or localhost), and some browsers turn them off in private windows.";
  const ABSENT =
    "This copy of the site was built without the game in the browser. Install the package and run gonzaga play instead.";

  const button = element("button", { type: "button", className: "play-start" }, "Play now");
  const status = element("p", { className: "play-status", role: "status" }, "");
  const bar = element("progress", { className: "play-progress", max: 1, value: 0, hidden: true });
  const close = element("button", { type: "button" }, "Back to the page");
  const heading = element("span", {}, "Gonzaga in your browser");
  const frame = element("iframe", { title: "The table" });
  const overlay = element("dialog", { className: "play-overlay" });
  overlay.append(element("div", { className: "play-bar" }, heading, close), frame);
  box.replaceChildren(button, bar, status, overlay);

  let address = null;
  button.addEventListener("click", open);
  close.addEventListener("click", () => overlay.close());
  overlay.addEventListener("cancel", (event) => event.preventDefault()); // Escape is the table's
  overlay.addEventListener("close", () => {
    button.textContent = "Go on playing";
    button.focus();
  });

  async function open() {
    if (address) return overlay.showModal();
    button.disabled = true;
    try {
      address = await load();
      frame.src = address;
      say("The game runs in this page, and this browser keeps its tables.");
      button.textContent = "Go on playing";
      overlay.showModal();
    } catch (error) {
      say(error.message);
    }
    bar.hidden = true;
    button.disabled = false;
  }

  /** Loads the game, and returns the address of its first page. */
  async function load() {
    if (!navigator.serviceWorker) throw new Error(UNABLE);
    const sizes = await fetch(new URL("sizes.json", BASE));
    if (!sizes.ok) throw new Error(ABSENT);
    const counted = Object.entries(await sizes.json()).filter(([name]) => !name.endsWith(".js"));
    const total = counted.reduce((sum, [, size]) => sum + size, 0);
    bar.hidden = false;
    say("Loading …");
    const path = new URL(`at/${await register()}`, BASE).pathname;
    const worker = new Worker(new URL("worker.js", BASE));
    await started(worker, path, total).catch((error) => {
      worker.terminate(); // the next click starts another one
      throw error;
    });
    navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
      worker.postMessage(data, [...ports, data.body]);
    });
    navigator.serviceWorker.startMessages();
    return `${path}/`;
  }

  /** Waits until the game has started, and shows how much of it has been loaded. */
  function started(worker, path, total) {
    return new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(`The game did not load: ${event.message}`));
      worker.onmessage = ({ data: { loaded, stage, failed } }) => {
        if (failed) reject(new Error(`The game did not start: ${failed}`));
        if (stage === "ready") resolve();
        if (stage === "starting") say("Starting …");
        if (!loaded) return;
        bar.value = Math.min(1, loaded / total);
        const all = loaded >= total;
        say(all ? "Starting …" : `Loading … ${megabytes(loaded)} of ${megabytes(total)} MB`);
      };
      worker.postMessage({ path });
    });
  }

  /** Starts the service worker, and returns what it calls this page. */
  async function register() {
    const registration = await navigator.serviceWorker.register(new URL("sw.js", BASE));
    const { active, waiting, installing } = registration;
    const worker = installing ?? waiting ?? active;
    if (worker.state !== "activated") {
      await new Promise((resolve, reject) => {
        worker.addEventListener("statechange", () => {
          if (worker.state === "activated") resolve();
          if (worker.state === "redundant") reject(new Error(UNABLE));
        });
      });
    }
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      worker.postMessage("who am I", [port2]);
    });
  }

  function say(text) {
    status.textContent = text;
  }

  function megabytes(bytes) {
    return (bytes / 1e6).toFixed(1);
  }

  function element(name, properties, ...content) {
    const made = Object.assign(document.createElement(name), properties);
    if (properties.role) made.setAttribute("role", properties.role);
    made.append(...content);
    return made;
  }
})();
