// Sets the theme before the page is painted; a classic script in the head, so that nothing flashes.
"use strict";

(() => {
  const KEY = "gonzaga.theme";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem(KEY) || "auto";
  const theme = () => (chosen() === "auto" ? (dark.matches ? "dark" : "light") : chosen());

  function apply() {
    document.documentElement.dataset.theme = theme();
    dispatchEvent(new Event("theme"));
  }

  function label(control) {
    const next = { auto: "light", light: "dark", dark: "auto" }[chosen()];
    control.textContent = { auto: "◐", light: "☀", dark: "☾" }[chosen()];
    control.title = `Colours: ${chosen()}; press for ${next}`;
    control.setAttribute("aria-label", control.title);
    return next;
  }

  apply();
  dark.addEventListener("change", apply);
  addEventListener("DOMContentLoaded", () => {
    for (const control of document.querySelectorAll("[data-switch-theme]")) {
      label(control);
      control.addEventListener("click", () => {
        localStorage.setItem(KEY, label(control));
        label(control);
        apply();
      });
    }
  });
})();
