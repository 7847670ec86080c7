import { halfWidth } from './ring.js';

/** How a comet flies. Distances are those of the ring's box, times seconds. */
export const rules = { laps: 3, stepSeconds: 1 / 120 };

const speed = 250;
const boosted = 115;
/** How hard it falls inwards or drifts out, and how soon it stops doing so. */
const pull = 4.4;
const drag = 2.3;
const farthest = 1.35;

/** A comet at the start: the first on the inside, the second on the outside. */
export function startComet(isFirst) {
  return { s: 0, d: isFirst ? 0.35 : -0.35, v: 0, drift: 0, boost: 0, isInTail: false, taken: -1, dust: 0 };
}

/** Flies on for one step. `other` is where the other comet is, or null. */
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
  // The inside of a bend is the shorter way.
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
