// The server's password, which servers on a network ask for. Links to tables work without it.

import { words } from "../words/index.js";
import { make } from "./dom.js";
import { local } from "./storage.js";

const KEY = "gonzaga.password";
const said = words.common.password;
const USABLE = /^[\x21-\x7e]+$/; // what a header may hold

/** Fetches with the password; where that is missing or wrong, a form asks for it. */
export async function fetchWithPassword(path, options = {}) {
  for (;;) {
    const password = local.get(KEY);
    const headers = password ? { Authorization: `Bearer ${password}` } : {};
    const response = await fetch(path, { ...options, headers: { ...options.headers, ...headers } });
    if (response.status !== 401) return response;
    const known = local.get(KEY) !== password; // another request has asked meanwhile
    if (!known && !(await askPassword(password !== null))) return response;
  }
}

let asked = null;

/** Asks for the password, once for all requests that wait; returns whether it was given. */
function askPassword(wrong) {
  asked ??= new Promise((resolve) => showForm(wrong, resolve)).finally(() => {
    asked = null;
  });
  return asked;
}

function showForm(wrong, resolve) {
  const input = make("input", { type: "password", required: true, autocomplete: "current-password" });
  const submit = (event) => {
    event.preventDefault();
    const usable = USABLE.test(input.value);
    input.setCustomValidity(usable ? "" : said.usable);
    if (!usable) return input.reportValidity();
    local.set(KEY, input.value);
    box.close("given");
  };
  const box = make("dialog", { "aria-label": said.title },
    make("form", { onsubmit: submit, class: "password" },
      make("p", {}, wrong ? said.wrong : said.asked),
      make("p", {}, make("label", {}, `${said.title}\u2003`, input)),
      make("p", {}, make("button", { class: "primary" }, said.goOn))));
  input.addEventListener("input", () => input.setCustomValidity(""));
  box.addEventListener("close", () => {
    box.remove();
    resolve(box.returnValue === "given");
  });
  document.body.append(box);
  box.showModal();
}

/** Keeps the password of an address such as `/#password=...`; it then leaves the address bar. */
function takePassword() {
  const given = new URLSearchParams(location.hash.slice(1)).get("password");
  if (!given) return;
  if (USABLE.test(given)) local.set(KEY, given);
  history.replaceState(null, "", location.pathname + location.search);
}

takePassword();
