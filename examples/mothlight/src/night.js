import { startFlight, step, stepSeconds } from './flight.js';
import { clamp, lengthOf, mix, seeded } from './maths.js';
import { pilotHolds } from './pilot.js';

const triesPerLantern = 24;
const longestSeconds = 5;

/**
 * Returns a night: the places of lanterns, burrs and dew. The same number gives the same night to everybody,
 * and so does the same day (`2026-11-22`; null for the usual nights). A lantern is kept only if the pilot
 * reaches it from the one before without touching anything else, so every night can be flown. Dew lies along
 * the pilot's way. Units are those of the world: a screen shows about 800 to 1,700 of them, and y grows
 * downwards.
 */
export function layNight(number, day = null) {
  const random = seeded(number * 7_919 + 17 + (day === null ? 0 : Number(day.replaceAll('-', ''))));
  const count = Math.min(9 + number * 2, 25);
  const night = { number, lanterns: [{ x: 0, y: 0, lit: true, moon: false }], dew: [], burrs: [], topY: 0 };
  const course = { hard: Math.min(1, number / 12), side: random() < 0.5 ? -1 : 1 };
  let flight = startFlight(night);
  for (let index = 1; index <= count; index++) {
    for (let tries = 1; ; tries++) {
      const draft = draftLantern(night, course, index === count, random);
      const flown = flyTo(flight, draft, index);
      // The last try is kept as it is. It is hardly ever needed.
      if (flown === null && tries < triesPerLantern) continue;
      night.lanterns.push(draft.lantern);
      night.burrs.push(...draft.burrs);
      course.side = draft.side;
      if (flown !== null) {
        layDew(night.dew, flown.way);
        flight = flown.flight;
      }
      break;
    }
  }
  night.topY = night.lanterns[count].y;
  return night;
}

/**
 * Lets the pilot fly to a drafted lantern. Returns the flight and its way, null if it is late or touches
 * anything else.
 */
function flyTo(before, { lantern, burrs }, index) {
  const flight = {
    ...before,
    moth: { ...before.moth },
    lanterns: [...before.lanterns.map((known) => ({ ...known })), { ...lantern }],
    burrs: [...before.burrs, ...burrs],
    events: [],
  };
  const way = [];
  const endSeconds = flight.seconds + longestSeconds;
  while (flight.latch !== index) {
    if (flight.state !== 'flying' || flight.seconds > endSeconds) return null;
    step(flight, pilotHolds(flight), stepSeconds);
    if (flight.events.some(({ type }) => type === 'burr' || type === 'again')) return null;
    if (flight.latch < 0) way.push({ x: flight.moth.x, y: flight.moth.y });
  }
  return { flight, way };
}

function draftLantern({ lanterns }, { hard, side: lastSide }, moon, random) {
  const from = lanterns[lanterns.length - 1];
  let side = random() < 0.65 ? -lastSide : lastSide;
  if (Math.abs(from.x + side * 180) > 380) side = -side;
  const x = clamp(from.x + side * mix(130, 250 + 40 * hard, random()), -420, 420);
  const y = from.y - mix(210, 270 + 30 * hard, random());
  const burrs = [];
  if (hard > 0.1 && lanterns.length > 2 && !moon && random() < 0.15 + 0.35 * hard) {
    // The burr is beside the way, mostly on the outer side, where hasty throws go.
    const off = mix(120, 190, random());
    burrs.push({ x: (from.x + x) / 2 - side * off, y: (from.y + y) / 2, turn: random() * 6.28, size: 26 });
  }
  return { lantern: { x, y, lit: false, moon }, burrs, side };
}

function layDew(dew, way) {
  for (const part of [0.25, 0.55, 0.85]) {
    const point = way[Math.floor(way.length * part)];
    const crowded = dew.some((drop) => lengthOf(drop.x - point.x, drop.y - point.y) < 44);
    if (!crowded) dew.push({ ...point, taken: false });
  }
}
