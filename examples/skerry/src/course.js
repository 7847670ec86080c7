/**
 * The rules, without drawing. Units are metres and seconds. x is to the right, `out` is the distance from the
 * shore. The same seed gives the same rocks.
 */
export const halfWidth = 9;
const boatRadius = 0.55;
const lampReach = 1.5;
const shaveMetres = 0.45;
const firstRow = 40;
const slowest = 11;
const fastest = 34;

export function castOff(seed) {
  return {
    random: randomOf(seed),
    out: 0,
    x: 0,
    drift: 0,
    speed: slowest,
    lamps: 0,
    shaves: 0,
    /** `sailing`, then `aground`. */
    state: 'sailing',
    rocks: [],
    lights: [],
    laidTo: firstRow,
    /** The x of the latest gap between the rocks. */
    gap: 0,
    /** Events since the caller last emptied the list. */
    events: [],
  };
}

/** Advances a trip by `dt` seconds. @param helm from -1 (hard to the left) to 1 */
export function sail(trip, helm, dt) {
  if (trip.state !== 'sailing') return;
  layAhead(trip);
  trip.speed = Math.min(fastest, slowest + trip.out / 110);
  trip.drift += (helm * (9 + trip.speed * 0.35) - trip.drift) * Math.min(1, dt * 7);
  trip.x += trip.drift * dt;
  if (Math.abs(trip.x) > halfWidth) {
    trip.x = Math.sign(trip.x) * halfWidth;
    trip.drift = 0;
  }
  trip.out += trip.speed * dt;
  gather(trip);
  meetRocks(trip);
}

function gather(trip) {
  for (const light of trip.lights) {
    if (light.taken || Math.hypot(light.x - trip.x, light.out - trip.out) > lampReach) continue;
    light.taken = true;
    trip.lamps++;
    trip.events.push({ type: 'lamp', ...light });
  }
}

function meetRocks(trip) {
  for (const rock of trip.rocks) {
    const gap = Math.hypot(rock.x - trip.x, rock.out - trip.out) - rock.size - boatRadius;
    if (gap < 0) {
      trip.state = 'aground';
      trip.events.push({ type: 'aground' });
      return;
    }
    rock.nearest = Math.min(rock.nearest, gap);
    if (rock.passed || rock.out > trip.out - rock.size) continue;
    rock.passed = true;
    if (rock.nearest < shaveMetres) {
      trip.shaves++;
      trip.events.push({ type: 'shave', x: rock.x });
    }
  }
}

/** Lays rows of rocks, each with a gap that can be reached from the one before, and lamps along the way. */
function layAhead(trip) {
  const { random } = trip;
  while (trip.laidTo < trip.out + 190) {
    const hard = Math.min(1, trip.laidTo / 2500);
    const before = trip.gap;
    const reach = 4 + 2.5 * (1 - hard);
    trip.gap = Math.max(-halfWidth + 1, Math.min(halfWidth - 1, before + (random() * 2 - 1) * reach));
    const way = 3.4 - 1.2 * hard;
    for (let x = -halfWidth - 1; x <= halfWidth + 1; x += 2.6) {
      const at = x + (random() - 0.5) * 1.4;
      const size = 0.7 + random() * 0.9;
      const isInWay = Math.abs(at - trip.gap) < way + size;
      if (!isInWay && random() < 0.42 + 0.4 * hard)
        trip.rocks.push({
          x: at,
          out: trip.laidTo + (random() - 0.5) * 3,
          size,
          turn: random() * 6.28,
          nearest: 99,
          passed: false,
        });
    }
    const length = 15 - 3 * hard;
    if (random() < 0.55)
      for (let part = 0; part < 3; part++)
        trip.lights.push({
          x: before + ((trip.gap - before) * (part + 1)) / 3,
          out: trip.laidTo - length + (length * (part + 1)) / 3,
          taken: false,
        });
    trip.laidTo += length;
  }
  const behind = trip.out - 15;
  if (trip.rocks[0]?.out < behind - 10) trip.rocks = trip.rocks.filter(({ out }) => out > behind);
  if (trip.lights[0]?.out < behind - 10) trip.lights = trip.lights.filter(({ out }) => out > behind);
}

/** Returns a generator: mulberry32 over a hash of the seed. */
export function randomOf(seed) {
  let state = 2166136261;
  for (const letter of String(seed)) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
