"use strict";
// Tells replays in frames which theme the page has, and brings a replay into view when a link shows one
// of its moves. The frames are files of their own, so messages are the way to them.
{
  /** @type {HTMLIFrameElement[]} */
  const frames = [...document.querySelectorAll("iframe.replay")].map((frame) => /** @type {any} */ (frame));
  const tell = (frame) => frame.contentWindow.postMessage({ theme: document.body.dataset.theme }, "*");
  for (const frame of frames) {
    tell(frame);
    frame.addEventListener("load", () => tell(frame));
  }
  for (const link of document.querySelectorAll("a[target^='replay-']")) {
    const frame = frames.find(({ name }) => name === link.getAttribute("target"));
    link.addEventListener("click", () => {
      frame?.scrollIntoView({ block: "nearest" });
      frame?.focus(); // so that keys step on from there
    });
  }
  const changes = new MutationObserver(() => frames.forEach(tell));
  changes.observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
}
