let context = null;
let isOn = true;

export const setSound = (on) => {
  isOn = on;
};

/** Starts the sound. Browsers allow it only after a press. */
export function wakeSound() {
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  // Suspended, or «interrupted» on an iPhone that was locked or called.
  if (context.state !== 'running') void context.resume().catch(() => {});
}

/** Plays a short tone. */
export function ring(frequency, seconds = 0.25, loudness = 0.12) {
  if (context === null || !isOn) return;
  const now = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = 'sine';
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(loudness, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + seconds);
}
