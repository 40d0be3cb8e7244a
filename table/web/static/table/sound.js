// A tone when it is one's turn, if one wants to hear it.

import { keepSetting, setting } from "../common/storage.js";

const [LOW, HIGH] = [523, 784]; // hertz
const [LENGTH, LOUDNESS] = [0.18, 0.12]; // seconds of each tone

let context = null;

/** Makes a button switch the sound; it is off until somebody switches it on. */
export function soundSwitch(button) {
  const show = () => button.setAttribute("aria-pressed", String(setting("sound", false)));
  button.addEventListener("click", () => {
    keepSetting("sound", !setting("sound", false));
    show();
    ring();
  });
  show();
}

/** Plays two tones. Browsers allow it once somebody has clicked on the page. */
export function ring() {
  if (!setting("sound", false)) return;
  context ??= new AudioContext();
  context.resume();
  [LOW, HIGH].forEach((pitch, i) => tone(pitch, context.currentTime + i * LENGTH));
}

function tone(pitch, start) {
  const [source, gain] = [context.createOscillator(), context.createGain()];
  source.frequency.value = pitch;
  gain.gain.setValueAtTime(LOUDNESS, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
  source.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + LENGTH);
}
