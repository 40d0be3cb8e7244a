// Sets the theme that was chosen for this site, or the system's, before the page is painted.
"use strict";

(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = localStorage.getItem("gonzaga.theme") || "auto";
    const theme = chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
    document.documentElement.dataset.theme = theme;
    dispatchEvent(new Event("theme"));
  };
  apply();
  dark.addEventListener("change", apply);
})();
