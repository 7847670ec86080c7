import { halfWidth } from './ring.js';

/** The rules of a race. Distances are in units of the ring's box, times in seconds. */
export const rules = { laps: 3, stepSeconds: 1 / 120 };

const speed = 250;
const boosted = 115;
/** Acceleration inwards while the button is held and outwards otherwise, and how soon the drift ends. */
const pull = 4.4;
const drag = 2.3;
const farthest = 1.35;

/** Returns a comet at the start: the first player's on the inside, the second's on the outside. */
export function startComet(isFirst) {
  return { s: 0, d: isFirst ? 0.35 : -0.35, v: 0, drift: 0, boost: 0, isInTail: false, taken: -1, dust: 0 };
}

/** Advances a comet by one step. `other` is the place of the other comet, or null. */
export function step(comet, ring, isHeld, other) {
  const dt = rules.stepSeconds;
  comet.drift += ((isHeld ? pull : -pull) - comet.drift * drag) * dt;
  comet.d += comet.drift * dt;
  if (Math.abs(comet.d) > farthest) {
    comet.d = Math.sign(comet.d) * farthest;
    comet.drift = 0;
  }
  const ahead = other === null ? 0 : other.s - comet.s;
  comet.isInTail = ahead > 25 && ahead < 200 && Math.abs(other.d - comet.d) < 0.5;
  if (comet.isInTail) comet.boost = Math.min(1, comet.boost + 1.2 * dt);
  comet.boost = Math.max(0, comet.boost - 0.5 * dt);
  const isOff = Math.abs(comet.d) > 1;
  const wanted = (speed + boosted * comet.boost) * (isOff ? 0.55 : 1);
  comet.v += (wanted - comet.v) * 2.2 * dt;
  // The way is shorter on the inside of a bend.
  comet.s += (comet.v * dt) / Math.max(0.4, 1 - ring.bendAt(comet.s) * comet.d * halfWidth);
  gather(comet, ring);
}

function gather(comet, ring) {
  const lap = Math.floor(comet.s / ring.length);
  for (const [index, { s, d }] of ring.dust.entries()) {
    const number = lap * ring.dust.length + index;
    if (number <= comet.taken) continue;
    if (Math.abs(lap * ring.length + s - comet.s) > 16 || Math.abs(d - comet.d) > 0.3) continue;
    comet.taken = number;
    comet.dust++;
    comet.boost = Math.min(1, comet.boost + 0.45);
  }
}

export function isHome(comet, ring) {
  return comet.s >= rules.laps * ring.length;
}

export function lapOf(comet, ring) {
  return Math.min(rules.laps, 1 + Math.floor(comet.s / ring.length));
}
