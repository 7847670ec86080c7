/** Synthesises wind over water, a bell for a lamp and a knock for a rock. */
export class Sound {
  #context = null;
  #out = null;
  #wind = null;
  on = true;

  /** Starts the sound. Browsers allow it only after a press. */
  wake() {
    if (this.#context === null) {
      this.#context = new AudioContext();
      this.#out = this.#context.createGain();
      this.#out.gain.value = this.on ? 0.6 : 0;
      this.#out.connect(this.#context.destination);
      this.#wind = this.#blow();
    }
    // Suspended, or «interrupted» on an iPhone that was locked or called.
    if (this.#context.state !== 'running') this.#context.resume().catch(() => {});
  }

  sleep() {
    this.#context?.suspend().catch(() => {});
  }

  setOn(on) {
    this.on = on;
    if (this.#context) this.#out.gain.setTargetAtTime(on ? 0.6 : 0, this.#context.currentTime, 0.05);
  }

  /** @param speed metres per second */
  sail(speed) {
    if (this.#context === null) return;
    this.#wind.frequency.setTargetAtTime(220 + speed * 26, this.#context.currentTime, 0.3);
  }

  bell(count) {
    const pitch = 523 * 2 ** ([0, 2, 4, 7, 9, 12][count % 6] / 12);
    this.#tone('sine', pitch, 0.7, 0.25);
    this.#tone('sine', pitch * 2.76, 0.3, 0.08);
  }

  knock() {
    this.#tone('square', 70, 0.5, 0.4);
    this.#tone('sawtooth', 43, 0.7, 0.3);
  }

  #tone(type, frequency, seconds, loudness) {
    if (this.#context === null) return;
    const at = this.#context.currentTime;
    const tone = this.#context.createOscillator();
    const volume = this.#context.createGain();
    tone.type = type;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(loudness, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(this.#out);
    tone.start(at);
    tone.stop(at + seconds);
  }

  #blow() {
    const context = this.#context;
    const noise = context.createBuffer(1, context.sampleRate * 2, context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
    const source = context.createBufferSource();
    source.buffer = noise;
    source.loop = true;
    const band = context.createBiquadFilter();
    band.type = 'bandpass';
    band.Q.value = 0.8;
    const volume = context.createGain();
    volume.gain.value = 0.12;
    source.connect(band).connect(volume).connect(this.#out);
    source.start();
    return band;
  }
}
