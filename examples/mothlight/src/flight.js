import { clamp, lengthOf } from './maths.js';

/**
 * The rules, without drawing: a flight through one night, advanced in fixed steps. The same presses always
 * give the same flight, so that the pilot can plan and scores can be compared.
 */
export const stepSeconds = 1 / 120;
export const reach = 250;
const gravity = 760;
const orbitRadius = 104;
const orbitSpeed = 640;
const reelSpeed = 330;
export const releaseBoost = 1.07;
const topSpeed = 900;
const mothSize = 15;

/**
 * Returns a flight at its start.
 * @param night from `layNight`; it is not changed
 * @param carried what the flight keeps from the night before: score and chain
 */
export function startFlight(night, carried = { score: 0, chain: 0, bestChain: 0, lit: 0 }) {
  const { number } = night;
  return {
    number,
    lanterns: night.lanterns.map((lantern) => ({ ...lantern })),
    dew: night.dew.map((drop) => ({ ...drop })),
    burrs: night.burrs,
    topY: night.topY,
    moth: { x: -orbitRadius, y: 0, vx: 0, vy: -orbitSpeed },
    /** Index of the lantern that the moth swings on, or -1. */
    latch: 0,
    lastLatch: 0,
    latchSeconds: 0,
    radius: orbitRadius,
    spin: 1,
    /** At the start the moth circles by itself until the first press is released. */
    perched: true,
    wasHolding: false,
    tideY: 560,
    tideSpeed: Math.min(40 + number * 9, 150),
    seconds: 0,
    dazedSeconds: 0,
    score: carried.score,
    chain: carried.chain,
    bestChain: carried.bestChain,
    lit: carried.lit,
    /** `flying`, then `moon` (this night is won) or `drowned`. */
    state: 'flying',
    /** Events since the caller last emptied the list, for pictures and sounds. */
    events: [],
  };
}

export function step(flight, holding, dt = stepSeconds) {
  if (flight.state !== 'flying') return;
  flight.seconds += dt;
  flight.dazedSeconds = Math.max(0, flight.dazedSeconds - dt);
  hold(flight, holding);
  if (flight.latch >= 0) swing(flight, dt);
  else fall(flight, dt);
  gather(flight);
  // The tide catches up if it is far behind, so that nobody outruns it for good and no fall takes long.
  const lead = flight.tideY - flight.moth.y;
  flight.tideY -= (flight.perched ? 0 : flight.tideSpeed * dt) + Math.max(0, lead - 900) * dt * 2;
  if (flight.moth.y > flight.tideY + 6) {
    flight.state = 'drowned';
    tell(flight, 'drown', flight.moth);
  }
}

function hold(flight, holding) {
  if (flight.perched) {
    if (flight.wasHolding && !holding) {
      flight.perched = false;
      release(flight);
    }
  } else if (flight.latch >= 0) {
    if (!holding) release(flight);
  } else if (holding && flight.dazedSeconds === 0) {
    const lantern = chooseLantern(flight);
    if (lantern >= 0) latchOn(flight, lantern);
  }
  flight.wasHolding = holding;
}

/**
 * Returns the index of the nearest lantern in reach, or -1. Prefers lanterns above the moth, and others than
 * the last one.
 */
export function chooseLantern({ moth, lanterns, lastLatch }) {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < lanterns.length; index++) {
    const lantern = lanterns[index];
    const distance = lengthOf(lantern.x - moth.x, lantern.y - moth.y);
    if (distance > reach) continue;
    const cost = distance + (lantern.y - moth.y) * 0.3 + (index === lastLatch ? 110 : 0);
    if (cost < least) {
      least = cost;
      best = index;
    }
  }
  return best;
}

function latchOn(flight, index) {
  const { moth, lanterns } = flight;
  const lantern = lanterns[index];
  const dx = moth.x - lantern.x;
  const dy = moth.y - lantern.y;
  flight.latch = index;
  flight.lastLatch = index;
  flight.latchSeconds = 0;
  flight.radius = Math.max(40, lengthOf(dx, dy));
  flight.spin = dx * moth.vy - dy * moth.vx >= 0 ? 1 : -1;
  if (lantern.lit) {
    flight.chain = 0;
    tell(flight, 'again', lantern);
    return;
  }
  lantern.lit = true;
  flight.lit++;
  flight.chain++;
  flight.bestChain = Math.max(flight.bestChain, flight.chain);
  const points = 100 * Math.min(flight.chain, 20);
  flight.score += points;
  tell(flight, 'light', lantern, points);
  if (!lantern.moon) return;
  const bonus = 1_000 + Math.max(0, Math.round((60 - flight.seconds) * 20));
  flight.score += bonus;
  flight.state = 'moon';
  tell(flight, 'moon', lantern, bonus);
}

function release(flight) {
  flight.latch = -1;
  flight.moth.vx *= releaseBoost;
  flight.moth.vy *= releaseBoost;
  tell(flight, 'release', flight.moth);
}

/** Circles at a speed and distance that settle by themselves, so the player only decides when to let go. */
function swing(flight, dt) {
  const { moth, spin } = flight;
  flight.latchSeconds += dt;
  const lantern = flight.lanterns[flight.latch];
  const speed = lengthOf(moth.vx, moth.vy);
  const settled = speed + (orbitSpeed - speed) * Math.min(1, dt * 6);
  const gap = orbitRadius - flight.radius;
  flight.radius += clamp(gap, -reelSpeed * dt, reelSpeed * dt);
  // Turns by the angle spin · speed · dt / radius, with the half-angle formulas. See `lengthOf` for why there
  // is no sine.
  const half = (spin * settled * dt) / flight.radius / 2;
  const cos = (1 - half * half) / (1 + half * half);
  const sin = (2 * half) / (1 + half * half);
  const length = lengthOf(moth.x - lantern.x, moth.y - lantern.y);
  const x = (moth.x - lantern.x) / length;
  const y = (moth.y - lantern.y) / length;
  const turnedX = x * cos - y * sin;
  const turnedY = x * sin + y * cos;
  moth.x = lantern.x + turnedX * flight.radius;
  moth.y = lantern.y + turnedY * flight.radius;
  moth.vx = -turnedY * spin * settled;
  moth.vy = turnedX * spin * settled;
}

export function fall(flight, dt) {
  const { moth } = flight;
  moth.vy += gravity * dt;
  const speed = lengthOf(moth.vx, moth.vy);
  if (speed > topSpeed) {
    moth.vx *= topSpeed / speed;
    moth.vy *= topSpeed / speed;
  }
  moth.x += moth.vx * dt;
  moth.y += moth.vy * dt;
}

function gather(flight) {
  const { moth } = flight;
  for (const drop of flight.dew) {
    if (drop.taken || Math.abs(drop.y - moth.y) > 40) continue;
    if (lengthOf(drop.x - moth.x, drop.y - moth.y) > mothSize + 24) continue;
    drop.taken = true;
    const points = 10 * Math.max(1, Math.min(flight.chain, 20));
    flight.score += points;
    tell(flight, 'dew', drop, points);
  }
  if (flight.dazedSeconds > 0) return;
  for (const burr of flight.burrs) {
    const dx = moth.x - burr.x;
    const dy = moth.y - burr.y;
    const distance = lengthOf(dx, dy) || 1;
    if (distance > burr.size + mothSize) continue;
    flight.chain = 0;
    flight.dazedSeconds = 0.35;
    flight.latch = -1;
    flight.perched = false;
    moth.vx = (dx / distance) * 420;
    moth.vy = (dy / distance) * 420 - 160;
    tell(flight, 'burr', burr);
    return;
  }
}

function tell(flight, type, { x, y }, points = 0) {
  flight.events.push({ type, x, y, points, chain: flight.chain });
}
