// Short sounds: a ply was made, something is wrong. Loaded only where the settings ask for them.

let [audio, before] = [null, null];

function tone(hertz, seconds, after = 0) {
  audio ??= new AudioContext();
  const [swing, gain] = [audio.createOscillator(), audio.createGain()];
  const start = audio.currentTime + after;
  swing.frequency.value = hertz;
  gain.gain.setValueAtTime(0.15, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  swing.connect(gain).connect(audio.destination);
  swing.start(start);
  swing.stop(start + seconds);
}

// Sounds for what has changed from the view before to this one; returns which sound it was, "" for none.
export function sound(view) {
  const now = { plies: view.plies.length, phase: view.phase };
  const was = before ?? now;
  before = now;
  if (now.phase === "over" && was.phase !== "over") {
    [523, 659, 784].forEach((hertz, n) => tone(hertz, 0.4, n * 0.14));
    return "over";
  }
  if (now.phase === "fix" && was.phase !== "fix") {
    tone(196, 0.35);
    return "wrong";
  }
  if (now.plies > was.plies) {
    tone(660, 0.12);
    return "ply";
  }
  return "";
}
