// Requests to the server, which reads, checks, draws and writes editions.

import { fetchFromLobby } from "../common/password.js";

/** Returns the answer to a request; throws an Error with the server's message. */
export async function ask(name, body) {
  const zip = body instanceof ArrayBuffer;
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": zip ? "application/zip" : "application/json" },
    body: zip ? body : JSON.stringify(body),
  };
  let response;
  try {
    response = await fetchFromLobby(`/api/editor/${name}`, options);
  } catch {
    throw new Error("The server does not answer. Your work is kept in this browser.");
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw new Error(answer?.error?.message ?? `The server answered ${response.status}.`);
}

/** Offers bytes in base64 as a download. */
export function download(name, base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/zip" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
