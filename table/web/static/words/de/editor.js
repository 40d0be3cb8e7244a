/** @type {typeof import("../en/editor.js").default} */
export default {
  save: "Speichern…",
  play: "Auf dieser Karte spielen",
  sending: "Die Karte wird gesendet …",
  hasFaults: (number) =>
    `Die Karte hat ${number || "einige"} Fehler, und man kann noch nicht auf ihr spielen: siehe Liste.`,
  keepsNothing: "Dieser Browser bewahrt hier nichts auf. Speichere, bevor du die Seite verlässt.",
  welcomeBack: "Hier ist, was du zuletzt hattest. Dieser Browser bewahrt es auf.",
  isKept: "Deine Arbeit ist in diesem Browser aufbewahrt.",
  drafts: "Andere Karten in diesem Browser",
  playHere: "Um sofort darauf zu spielen, drück „Auf dieser Karte spielen“.",
  playThere: "Um sie dauerhaft anzubieten, entpack sie, prüf sie und starte den Server damit:",
};
