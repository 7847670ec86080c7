import { chooseLantern, fall, reach, releaseBoost } from './flight.js';
import { lengthOf } from './maths.js';

const lookAheadSteps = 66;
const lookAheadDt = 1 / 60;

/**
 * Returns whether the pilot holds the button, behind the title and for laying out nights. It lets go when the
 * throw would bring the next lantern into reach, and holds when that lantern is in reach.
 */
export function pilotHolds(flight) {
  if (flight.perched && !flight.wasHolding) return true;
  const next = flight.lanterns.findIndex((lantern) => !lantern.lit);
  if (next < 0) return true;
  if (flight.latch >= 0) {
    // Swings for a moment at least, so that it looks like flying and not like bouncing.
    return flight.latchSeconds < 0.12 || !throwReaches(flight, next);
  }
  const chosen = chooseLantern(flight);
  if (chosen === next) return closeTo(flight, next) || !throwReaches(flight, next, 1);
  // After a bad throw, takes any lantern before the tide takes the moth.
  return chosen >= 0 && flight.moth.vy > 260 && !throwReaches(flight, next, 1);
}

function closeTo({ moth, lanterns }, index) {
  return lengthOf(lanterns[index].x - moth.x, lanterns[index].y - moth.y) < reach * 0.66;
}

/**
 * Returns whether a flight from here, at `boost` times the speed, comes close to that lantern and clear of
 * burrs.
 */
function throwReaches(flight, next, boost = releaseBoost) {
  const ghost = { ...flight, moth: { ...flight.moth } };
  ghost.moth.vx *= boost;
  ghost.moth.vy *= boost;
  for (let step = 0; step < lookAheadSteps; step++) {
    fall(ghost, lookAheadDt);
    const { x, y } = ghost.moth;
    if (flight.burrs.some((burr) => lengthOf(burr.x - x, burr.y - y) < burr.size + 34)) return false;
    if (y > flight.tideY) return false;
    if (closeTo(ghost, next) && chooseLantern(ghost) === next && y < flight.lanterns[next].y + 140)
      return true;
  }
  return false;
}
