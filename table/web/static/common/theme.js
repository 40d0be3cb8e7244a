// Sets the theme before the page is painted; a classic script in the head, so that nothing flashes.
"use strict";

(() => {
  const KEY = "gonzaga.theme"; // "light" or "dark"; without it the page follows the system
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const system = () => (dark.matches ? "dark" : "light");

  let kept; // where the browser stores nothing

  function chosen() {
    try {
      kept = localStorage.getItem(KEY) ?? kept;
    } catch {
      // it stores nothing
    }
    return ["light", "dark"].find((name) => name === kept);
  }

  function apply() {
    document.documentElement.dataset.theme = chosen() ?? system();
    dispatchEvent(new Event("theme"));
  }

  apply();
  dark.addEventListener("change", apply);
  addEventListener("storage", ({ key }) => key === KEY && apply()); // another tab has changed it
  addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest("[data-switch-theme]")) return;
    const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    kept = other;
    try {
      localStorage.setItem(KEY, other);
    } catch {
      // it stores nothing
    }
    apply();
  });
})();
