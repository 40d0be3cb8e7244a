// The header of all pages: what its button for the colours says.

import { words } from "../words/index.js";
import "../words/page.js";

function label() {
  const { theme } = document.documentElement.dataset;
  for (const control of document.querySelectorAll("[data-switch-theme]")) {
    control.textContent = theme === "dark" ? "☾" : "☀";
    control.setAttribute("title", words.common.switchTheme[theme]);
    control.setAttribute("aria-label", words.common.switchTheme[theme]);
  }
}

// A phone has its buttons in a menu; a press elsewhere closes it.
const menu = document.getElementById("menu-button");
if (menu) {
  addEventListener("click", ({ target }) => {
    const opens = target === menu && menu.getAttribute("aria-expanded") === "false";
    menu.setAttribute("aria-expanded", String(opens));
  });
}

addEventListener("theme", label);
label();
