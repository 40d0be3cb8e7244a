// Tabs: of several boxes, one is shown, in the place of all.

/**
 * Lets the tabs of a `tablist` show their boxes, by mouse and by arrow keys. A click on a tab also
 * raises the boxes, for pages that have no room for them, until it is clicked again.
 */
export function makeTabs(list) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const boxOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  const choose = (chosen) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      boxOf(tab).classList.toggle("behind", tab !== chosen);
    }
  };
  list.addEventListener("click", ({ target }) => {
    if (!tabs.includes(target)) return;
    const again = target.getAttribute("aria-selected") === "true";
    list.parentNode.classList.toggle("raised", !(again && list.closest(".raised")));
    choose(target);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
  choose(tabs.find((tab) => tab.getAttribute("aria-selected") === "true"));
}
