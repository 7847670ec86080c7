/** Frequencies of a pentatonic scale from A3 upwards, which sound well in any order. */
const scale = [0, 2, 4, 7, 9, 12, 14, 16, 19, 21, 24, 26, 28, 31, 33];
const frequencyOf = (step) => 220 * 2 ** (scale[Math.min(step, scale.length - 1)] / 12);

/** Synthesises every sound. Browsers allow no sound before the first press, so nothing is created earlier. */
export class Sound {
  #context = null;
  #out = null;
  #noise = null;
  on = true;

  /** Starts the sound. Call it in a press; later calls wake a context that the browser has suspended. */
  wake() {
    if (this.#context === null) {
      const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext;
      if (Context === undefined) return;
      this.#context = new Context();
      this.#out = this.#context.createGain();
      this.#out.gain.value = this.on ? 0.5 : 0;
      const compressor = this.#context.createDynamicsCompressor();
      this.#out.connect(this.#echo()).connect(compressor);
      this.#out.connect(compressor).connect(this.#context.destination);
      this.#noise = this.#makeNoise();
      this.#hum();
    }
    // Suspended, or «interrupted» on an iPhone that was locked or called.
    if (this.#context.state !== 'running') this.#context.resume().catch(() => {});
  }

  sleep() {
    this.#context?.suspend().catch(() => {});
  }

  setOn(on) {
    this.on = on;
    if (this.#context) this.#out.gain.setTargetAtTime(on ? 0.5 : 0, this.#context.currentTime, 0.05);
  }

  /** Plays the sound of an event of a flight. */
  play({ type, chain }) {
    if (this.#context === null || !this.on) return;
    if (type === 'light') {
      const step = (chain - 1) % 12;
      this.#pluck(frequencyOf(step), 0.32, 0.9);
      this.#pluck(frequencyOf(step + 2), 0.14, 0.7, 0.07);
    } else if (type === 'dew') this.#pluck(frequencyOf(8 + (chain % 5)) * 2, 0.09, 0.3);
    else if (type === 'again') this.#pluck(165, 0.2, 0.3);
    else if (type === 'release') this.#breath(900, 0.16, 0.22);
    else if (type === 'burr') this.#fall(320, 90, 0.3, 0.4);
    else if (type === 'moon') {
      for (let step = 0; step < 8; step++) this.#pluck(frequencyOf(step + 2), 0.26, 1.6, step * 0.09);
    } else if (type === 'drown') {
      this.#fall(240, 40, 0.4, 1.3);
      this.#breath(300, 0.4, 1.1);
    }
  }

  #pluck(frequency, loud, seconds, delay = 0) {
    for (const [times, part, type] of [
      [1, 1, 'triangle'],
      [2.01, 0.3, 'sine'],
    ]) {
      const start = this.#context.currentTime + delay;
      const tone = this.#context.createOscillator();
      tone.type = type;
      tone.frequency.value = frequency * times;
      tone.connect(this.#envelope(loud * part, start, 0.008, seconds));
      tone.start(start);
      tone.stop(start + seconds + 0.1);
    }
  }

  #fall(from, to, loud, seconds) {
    const start = this.#context.currentTime;
    const tone = this.#context.createOscillator();
    tone.type = 'sawtooth';
    tone.frequency.setValueAtTime(from, start);
    tone.frequency.exponentialRampToValueAtTime(to, start + seconds);
    const filter = this.#context.createBiquadFilter();
    filter.frequency.value = 700;
    tone.connect(filter).connect(this.#envelope(loud, start, 0.01, seconds));
    tone.start(start);
    tone.stop(start + seconds + 0.1);
  }

  #breath(frequency, loud, seconds) {
    const start = this.#context.currentTime;
    const source = this.#context.createBufferSource();
    source.buffer = this.#noise;
    const filter = this.#context.createBiquadFilter();
    filter.type = 'bandpass';
    filter.frequency.setValueAtTime(frequency, start);
    filter.frequency.exponentialRampToValueAtTime(frequency * 2, start + seconds);
    source.connect(filter).connect(this.#envelope(loud, start, 0.03, seconds));
    source.start(start);
    source.stop(start + seconds + 0.1);
  }

  #envelope(loud, start, attack, seconds) {
    const gain = this.#context.createGain();
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(loud, start + attack);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
    gain.connect(this.#out);
    return gain;
  }

  /** Plays two slow, low tones under everything, which drift against each other. */
  #hum() {
    for (const frequency of [110, 164.8, 110.7]) {
      const tone = this.#context.createOscillator();
      const gain = this.#context.createGain();
      tone.frequency.value = frequency;
      gain.gain.value = 0;
      gain.gain.setTargetAtTime(0.035, this.#context.currentTime, 3);
      tone.connect(gain).connect(this.#out);
      tone.start();
    }
  }

  #echo() {
    const delay = this.#context.createDelay(1);
    const back = this.#context.createGain();
    delay.delayTime.value = 0.31;
    back.gain.value = 0.34;
    delay.connect(back).connect(delay);
    return back;
  }

  #makeNoise() {
    const buffer = this.#context.createBuffer(1, this.#context.sampleRate * 2, this.#context.sampleRate);
    const data = buffer.getChannelData(0);
    for (let index = 0; index < data.length; index++) data[index] = Math.random() * 2 - 1;
    return buffer;
  }
}
