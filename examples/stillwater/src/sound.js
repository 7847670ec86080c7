/** A plucked note for each step, from a scale that cannot sound wrong. */
const scale = [220, 261.6, 293.7, 329.6, 392, 440, 523.3, 587.3, 659.3, 784];

export class Sound {
  #context = null;
  #on = true;

  get on() {
    return this.#on;
  }

  setOn(on) {
    this.#on = on;
  }

  /** Starts the sound. Browsers allow it only after a press. */
  wake() {
    this.#context ??= new AudioContext();
    // Suspended, or «interrupted» on an iPhone that was locked or called.
    if (this.#context.state !== 'running') this.#context.resume().catch(() => {});
  }

  pluck(step, delaySeconds = 0, loudness = 0.16) {
    const context = this.#context;
    if (!this.#on || context === null) return;
    const at = context.currentTime + delaySeconds;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = 'triangle';
    tone.frequency.value = scale[step % scale.length];
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(loudness, at + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.9);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 1);
  }

  bloom() {
    for (let note = 0; note < 6; note++) this.pluck([0, 2, 4, 5, 7, 9][note], note * 0.11, 0.2);
  }
}
