import { seeded } from './maths.js';
import { glow } from './sprites.js';

const most = 360;

/** Sparks, rings, floating points, and the shaking of the camera. Nothing here affects the rules. */
export class Effects {
  #sparks = [];
  #rings = [];
  #texts = [];
  #random = seeded(99);
  #calm;
  shake = 0;
  flash = 0;

  /** @param calm true for people who asked for less motion: no shaking and no flashes */
  constructor(calm) {
    this.#calm = calm;
  }

  /** Shows an event of a flight. */
  show({ type, x, y, points, chain }) {
    if (type === 'light') {
      this.#burst(x, y, 26, 340, '255, 206, 120');
      this.#rings.push({ x, y, age: 0, life: 0.6, size: 130, colour: '255, 226, 160' });
      this.#texts.push({ x, y: y - 46, age: 0, text: `+${points}`, big: chain >= 5 });
      this.#jolt(3 + Math.min(chain, 8) * 0.5);
    } else if (type === 'dew') this.#burst(x, y, 8, 170, '150, 226, 255');
    else if (type === 'release') this.#burst(x, y, 5, 120, '255, 240, 210');
    else if (type === 'again')
      this.#rings.push({ x, y, age: 0, life: 0.35, size: 60, colour: '160, 150, 220' });
    else if (type === 'burr') {
      this.#burst(x, y, 22, 300, '255, 80, 130');
      this.#texts.push({ x, y: y - 40, age: 0, text: 'chain lost', big: false });
      this.#jolt(14);
    } else if (type === 'moon') {
      this.#burst(x, y, 90, 620, '255, 240, 200');
      for (const size of [220, 380, 560]) {
        this.#rings.push({ x, y, age: 0, life: 1.1, size, colour: '255, 236, 190' });
      }
      this.#texts.push({ x, y: y - 110, age: 0, text: `+${points}`, big: true });
      this.flash = this.#calm ? 0 : 0.75;
      this.#jolt(10);
    } else if (type === 'drown') {
      this.#burst(x, y, 50, 380, '150, 230, 255');
      this.#jolt(12);
    }
  }

  #jolt(strength) {
    if (!this.#calm) this.shake = Math.max(this.shake, strength);
  }

  #burst(x, y, count, speed, colour) {
    for (let spark = 0; spark < count && this.#sparks.length < most; spark++) {
      const angle = this.#random() * 6.2832;
      const pace = speed * (0.25 + this.#random() * 0.75);
      const life = 0.5 + this.#random() * 0.7;
      const [vx, vy] = [Math.cos(angle) * pace, Math.sin(angle) * pace];
      this.#sparks.push({ x, y, vx, vy, age: 0, life, size: 4 + this.#random() * 9, colour });
    }
  }

  step(dt) {
    this.shake *= Math.exp(-dt * 9);
    this.flash *= Math.exp(-dt * 2.6);
    for (const spark of this.#sparks) {
      const drag = Math.exp(-dt * 2.2);
      spark.vx *= drag;
      spark.vy = spark.vy * drag + 160 * dt;
      spark.x += spark.vx * dt;
      spark.y += spark.vy * dt;
      spark.age += dt;
    }
    for (const ring of this.#rings) ring.age += dt;
    for (const text of this.#texts) {
      text.age += dt;
      text.y -= 46 * dt;
    }
    this.#sparks = this.#sparks.filter((spark) => spark.age < spark.life);
    this.#rings = this.#rings.filter((ring) => ring.age < ring.life);
    this.#texts = this.#texts.filter((text) => text.age < 1);
  }

  paint(context) {
    context.globalCompositeOperation = 'lighter';
    for (const { x, y, age, life, size, colour } of this.#sparks) {
      const left = 1 - age / life;
      context.globalAlpha = left;
      context.drawImage(glow(colour), x - size, y - size, size * 2, size * 2);
    }
    for (const { x, y, age, life, size, colour } of this.#rings) {
      const part = age / life;
      context.globalAlpha = 1 - part;
      context.strokeStyle = `rgb(${colour})`;
      context.lineWidth = 6 * (1 - part) + 1;
      context.beginPath();
      context.arc(x, y, 20 + size * (1 - (1 - part) ** 3), 0, 7);
      context.stroke();
    }
    context.globalCompositeOperation = 'source-over';
    context.textAlign = 'center';
    for (const { x, y, age, text, big } of this.#texts) {
      context.globalAlpha = Math.min(1, (1 - age) * 2);
      context.font = `600 ${big ? 40 : 28}px system-ui, sans-serif`;
      context.fillStyle = big ? '#fff3cf' : '#ffe0a8';
      context.fillText(text, x, y);
    }
    context.globalAlpha = 1;
  }
}
