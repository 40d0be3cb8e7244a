export default {
  save: "Save…",
  play: "Play on this map",
  sending: "Sending the map …",
  hasFaults: (number) =>
    `The map has ${number || "some"} fault${number === 1 ? "" : "s"} and can’t be played on yet: see the list.`,
  keepsNothing: "This browser keeps nothing here. Save before you leave the page.",
  welcomeBack: "Here is what you had when you left. It is kept in this browser.",
  isKept: "Your work is kept in this browser.",
  drafts: "Other maps in this browser",
  playHere: "To play on it at once, press “Play on this map”.",
  playThere: "To keep it on offer for good, unpack it, check it, and start the server with it:",
};
