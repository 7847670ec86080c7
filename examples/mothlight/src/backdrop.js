import { mix, seeded } from './maths.js';
import { cloud, curtain, glow, moonDisc } from './sprites.js';

/** Colours of the sky: top, middle, horizon, then the northern lights. Each night has the next set. */
const skies = [
  { top: '#080822', middle: '#1c1c58', low: '#5a3f8f', lights: ['70, 240, 190', '150, 110, 255'] },
  { top: '#0a0620', middle: '#351a52', low: '#9a4a72', lights: ['255, 130, 170', '130, 120, 255'] },
  { top: '#041420', middle: '#0c3a52', low: '#3f8088', lights: ['90, 255, 220', '60, 160, 255'] },
  { top: '#0d0a1e', middle: '#3a2748', low: '#b06a52', lights: ['255, 180, 90', '255, 100, 140'] },
  { top: '#05101a', middle: '#143c3c', low: '#5c8f5c', lights: ['170, 255, 120', '60, 220, 200'] },
];

const random = seeded(4_242);
const stars = Array.from({ length: 230 }, () => ({
  x: random(),
  y: random(),
  size: 0.5 + random() ** 3 * 1.8,
  depth: 0.02 + random() * 0.07,
  phase: random() * 6.28,
}));
const clouds = Array.from({ length: 7 }, (_, index) => ({
  sprite: index % 3,
  x: random(),
  y: random(),
  size: 0.7 + random() * 0.9,
  depth: 0.12 + random() * 0.16,
}));
const ridges = [
  { depth: 0.1, height: 210, colour: 'rgb(26, 19, 70)', steps: ridge(1) },
  { depth: 0.2, height: 150, colour: 'rgb(13, 10, 44)', steps: ridge(2) },
];

function ridge(seed) {
  const next = seeded(seed);
  const waves = Array.from({ length: 5 }, (_, octave) => [2 ** octave * (0.7 + next() * 0.5), next() * 6.28]);
  return Array.from({ length: 97 }, (_, step) => {
    const sum = waves.reduce(
      (total, [f, p], n) => total + Math.sin((step / 96) * 6.28 * f + p) / 1.7 ** n,
      0,
    );
    return (sum + 2) / 4;
  });
}

/**
 * Paints everything behind the lanterns. `view` is { width, height, scale, x, y }: pixels, and the camera in
 * the world.
 */
export function paintBackdrop(context, view, number, seconds) {
  const sky = skies[(number - 1) % skies.length];
  const { width, height } = view;
  const gradient = context.createLinearGradient(0, 0, 0, height);
  gradient.addColorStop(0, sky.top);
  gradient.addColorStop(0.55, sky.middle);
  gradient.addColorStop(1, sky.low);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  paintStars(context, view, seconds);
  context.globalCompositeOperation = 'lighter';
  for (const [index, colour] of sky.lights.entries()) paintLights(context, view, colour, index, seconds);
  context.globalCompositeOperation = 'source-over';
  paintClouds(context, view, seconds);
  for (const layer of ridges) paintRidge(context, view, layer);
}

const wrap = (value, size) => ((value % size) + size) % size;

function paintStars(context, { width, height, scale, x, y }, seconds) {
  context.fillStyle = '#fff';
  for (const star of stars) {
    context.globalAlpha = 0.45 + 0.4 * Math.sin(seconds * 1.4 + star.phase);
    const sx = wrap(star.x * width - x * scale * star.depth, width);
    const sy = wrap(star.y * height - y * scale * star.depth, height);
    const size = star.size * Math.max(1, height / 900);
    context.fillRect(sx, sy, size, size);
  }
  context.globalAlpha = 1;
}

/** Paints a curtain of thin, soft strips, which wave together. */
function paintLights(context, { width, height, scale, x, y }, colour, index, seconds) {
  const sprite = curtain(colour);
  const strips = 120;
  const drift = seconds * 0.13 + index * 2.1 - x * scale * 0.0004;
  for (let strip = 0; strip < strips; strip++) {
    const t = strip / strips;
    const fold = Math.sin(t * 7 + drift) * 0.6 + Math.sin(t * 17 - drift * 1.6) * 0.25;
    const shine = 0.5 + 0.5 * Math.sin(t * 9 - drift * 2.3 + index);
    const foot = height * (0.5 + index * 0.12 + fold * 0.07) - y * scale * 0.02;
    const tall = height * (0.34 + 0.16 * shine);
    context.globalAlpha = 0.12 + 0.3 * shine ** 2;
    // Strips begin at whole pixels, because overlapping strips would show as lines.
    const left = Math.round(t * width);
    context.drawImage(sprite, left, foot - tall, Math.round(((strip + 1) / strips) * width) - left, tall);
  }
  context.globalAlpha = 1;
}

function paintClouds(context, { width, height, scale, x, y }, seconds) {
  const puffs = seeded(7);
  context.globalAlpha = 0.3;
  for (const { sprite, x: cx, y: cy, size, depth } of clouds) {
    const w = 520 * size * Math.max(scale, 0.6);
    const px = wrap(cx * (width + w) - x * scale * depth + seconds * 5 * depth, width + w) - w / 2;
    const py = wrap(cy * (height + w) - y * scale * depth, height + w) - w / 2;
    context.drawImage(cloud(sprite, puffs), px - w / 2, py - w / 2, w, w);
  }
  context.globalAlpha = 1;
}

function paintRidge(context, { width, height, scale, y }, { depth, height: tall, colour, steps }) {
  const foot = height - (y + 160) * scale * depth;
  if (foot - tall > height) return;
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(0, height);
  steps.forEach((rise, step) => {
    context.lineTo((step / (steps.length - 1)) * width, foot - rise * tall * Math.max(0.7, height / 800));
  });
  context.lineTo(width, height);
  context.fill();
}

/** Paints the moon. Far away it is small and hardly moves. Near it is at the place of the last lantern. */
export function paintMoon(context, view, goal, lit) {
  const dx = goal.x - view.x;
  const dy = goal.y - view.y;
  const nearness = 1 / (1 + Math.max(0, Math.sqrt(dx * dx + dy * dy) - 420) / 650);
  const px = view.width / 2 + dx * nearness * view.scale;
  const size = mix(84, 150, nearness) * Math.max(view.scale, 0.55);
  const trueY = view.height / 2 + dy * nearness * view.scale;
  // A far moon stays in sight, below the numbers at the top.
  const py = mix(Math.max(trueY, size * 1.3), trueY, nearness ** 3);
  context.globalCompositeOperation = 'lighter';
  context.globalAlpha = lit ? 1 : 0.75;
  context.drawImage(glow('255, 226, 170'), px - size * 3, py - size * 3, size * 6, size * 6);
  context.globalCompositeOperation = 'source-over';
  context.globalAlpha = 1;
  context.drawImage(moonDisc(), px - size / 2, py - size / 2, size, size);
}
