// Sounds of wood: a burst of noise that rings in a few resonances, as when a piece meets the board. Nothing is loaded for them.

// The resonances of a body of wood: frequency in hertz, how long it rings (its Q), how loud. `deep` shifts them all.
const BODY = [[410, 12, 1], [1130, 18, 0.6], [2650, 12, 0.25]];
const BURST_S = 0.012; // the blow itself; the rest is the wood
const RING_S = 0.25;

// Each sound as blows: when in seconds, how loud, how high beside the plain body.
/** @type {Record<string, [number, number, number][]>} */
const SOUNDS = {
  put: [[0, 0.9, 1]],
  capture: [[0, 1, 0.8], [0.07, 0.6, 1.15]],
  check: [[0, 0.8, 1.5], [0.12, 0.8, 1.5]],
  built: [[0, 0.8, 1], [0.11, 0.7, 1.5], [0.22, 0.8, 2]],
  wrong: [[0, 1, 0.45], [0.16, 1, 0.4]],
  low: [[0, 0.5, 2.2], [0.18, 0.5, 2.2]],
  end: [[0, 0.8, 1], [0.17, 0.8, 1.26], [0.34, 1, 1.5]],
};

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let noise = null;

// Begins with sound; browsers allow it only while a person presses something.
export function unlock() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  return audio;
}

// Plays the sound called `name`.
/** @param {string} name */
export function play(name) {
  const on = unlock();
  for (const [after, loud, high] of SOUNDS[name]) blow(on, on.currentTime + after, loud, high);
}

/** @param {AudioContext} on @param {number} start @param {number} loud @param {number} high */
function blow(on, start, loud, high) {
  const source = on.createBufferSource();
  source.buffer = noise ??= burst(on);
  for (const [hertz, q, share] of BODY) {
    const [ring, gain] = /** @type {const} */ ([on.createBiquadFilter(), on.createGain()]);
    ring.type = "bandpass";
    ring.frequency.value = hertz * high;
    ring.Q.value = q;
    gain.gain.setValueAtTime(loud * share * 4, start); // a narrow filter lets little of the noise through
    gain.gain.exponentialRampToValueAtTime(0.001, start + RING_S / Math.sqrt(high));
    source.connect(ring).connect(gain).connect(on.destination);
  }
  source.start(start);
}

/** @param {AudioContext} on */
function burst(on) {
  const length = Math.ceil(on.sampleRate * RING_S);
  const buffer = on.createBuffer(1, length, on.sampleRate);
  const samples = buffer.getChannelData(0);
  const fade = on.sampleRate * BURST_S;
  for (let n = 0; n < length; n += 1) samples[n] = (2 * Math.random() - 1) * Math.exp(-n / fade);
  return buffer;
}
