// Sets the theme before the page is painted; a classic script in the head, so that nothing flashes.
"use strict";

(() => {
  const KEY = "gonzaga.theme"; // "light" or "dark"; without it the page follows the system
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const system = () => (dark.matches ? "dark" : "light");

  const chosen = () => ["light", "dark"].find((name) => name === localStorage.getItem(KEY));

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
    if (other === system()) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, other);
    apply();
  });
})();
