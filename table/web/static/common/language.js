// Sets the page's language before it is painted; a classic script in the head, so that no English
// flashes on a page in another language.
"use strict";

(() => {
  const LANGUAGES = ["en", "de", "fr"]; // each is a file of words
  const LONGEST = 1500; // milliseconds for which a page waits for its words
  const page = document.documentElement;

  function chosen() {
    try {
      return JSON.parse(localStorage.getItem("gonzaga.settings"))?.language;
    } catch {
      return null;
    }
  }

  const wanted = [chosen(), ...navigator.languages.map((code) => code.split("-")[0]), "en"];
  page.dataset.languages = LANGUAGES.join(" ");
  page.lang = wanted.find((code) => LANGUAGES.includes(code));
  if (page.lang === "en") return;
  const show = () => page.style.removeProperty("visibility");
  page.style.visibility = "hidden";
  addEventListener("translated", show);
  setTimeout(show, LONGEST);
})();
