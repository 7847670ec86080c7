/** A ring: a closed line that comets fly along, in a box of 1000 by 1000. */
export const halfWidth = 46;
const samples = 240;
const margin = 110;

const around = (radius) =>
  Array.from({ length: 40 }, (_, index) => {
    const angle = (index / 40) * 2 * Math.PI;
    const [across, up = across] = radius(angle);
    return [Math.round(500 + across * Math.cos(angle)), Math.round(500 + up * Math.sin(angle))];
  });

/** Rings that exist before anybody has drawn one. */
export const builtIn = [
  { title: 'First ring', points: around(() => [390, 290]) },
  { title: 'Three petals', points: around((angle) => [300 + 85 * Math.cos(3 * angle)]) },
  { title: 'The bean', points: around((angle) => [310 + 95 * Math.sin(2 * angle + 0.6)]) },
];

/** Returns whether published data is a ring. Players may publish anything. */
export function isRing(data) {
  const points = data?.points;
  return (
    Array.isArray(points) &&
    points.length >= 12 &&
    points.length <= 64 &&
    points.every(
      (point) =>
        Array.isArray(point) &&
        point.length === 2 &&
        point.every((each) => Number.isFinite(each) && each >= 0 && each <= 1000),
    ) &&
    lengthOf(points) > 600
  );
}

const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);

function lengthOf(points) {
  return points.reduce((sum, point, index) => sum + distance(point, points[(index + 1) % points.length]), 0);
}

/** Returns `count` points at even distances along a closed line. */
function evenly(points, count) {
  const whole = lengthOf(points);
  const even = [];
  let passed = 0;
  for (let index = 0; index < points.length && even.length < count; index++) {
    const from = points[index];
    const to = points[(index + 1) % points.length];
    const part = distance(from, to);
    while (even.length < count && (even.length * whole) / count <= passed + part) {
      const at = part === 0 ? 0 : ((even.length * whole) / count - passed) / part;
      even.push([from[0] + (to[0] - from[0]) * at, from[1] + (to[1] - from[1]) * at]);
    }
    passed += part;
  }
  while (even.length < count) even.push(points[0]);
  return even;
}

function smoothed(points, rounds) {
  let now = points;
  for (let round = 0; round < rounds; round++)
    now = now.map(([x, y], index) => {
      const [before, after] = [now.at(index - 1), now[(index + 1) % now.length]];
      return [(before[0] + 2 * x + after[0]) / 4, (before[1] + 2 * y + after[1]) / 4];
    });
  return now;
}

/**
 * Returns the points of a ring that was drawn by hand, scaled to the box, or null if the stroke is no ring.
 */
export function ringOfStroke(stroke) {
  if (stroke.length < 12) return null;
  const [xs, ys] = [0, 1].map((axis) => stroke.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const size = Math.max(width, height);
  if (size === 0 || Math.min(width, height) < size * 0.3) return null;
  const scale = (1000 - 2 * margin) / size;
  const boxed = stroke.map(([x, y]) => [
    500 + (x - left - width / 2) * scale,
    500 + (y - top - height / 2) * scale,
  ]);
  const points = smoothed(evenly(boxed, 48), 2).map((point) => point.map(Math.round));
  return isRing({ points }) ? points : null;
}

/** Returns a ring's line, its length, and the functions that a race needs. */
export function layRing(points) {
  const line = smoothed(evenly(smoothed(evenly(points, samples), 6), samples), 4);
  const length = lengthOf(line);
  const area = line.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = line[(index + 1) % samples];
    return sum + x * nextY - nextX * y;
  }, 0);
  const inward = area > 0 ? 1 : -1;
  const at = (s) => {
    const place = ((((s / length) % 1) + 1) % 1) * samples;
    const index = Math.floor(place) % samples;
    const [from, to] = [line[index], line[(index + 1) % samples]];
    const part = place - Math.floor(place);
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const step = Math.hypot(dx, dy) || 1;
    return {
      x: from[0] + dx * part,
      y: from[1] + dy * part,
      inX: (-dy / step) * inward,
      inY: (dx / step) * inward,
    };
  };
  const heading = (index) => {
    const [from, to] = [line.at(index % samples), line[(index + 1) % samples]];
    return Math.atan2(to[1] - from[1], to[0] - from[0]);
  };
  const bends = line.map((_, index) => {
    let turn = heading(index + 3) - heading(index);
    while (turn > Math.PI) turn -= 2 * Math.PI;
    while (turn < -Math.PI) turn += 2 * Math.PI;
    return (turn * inward * samples) / (3 * length);
  });
  return {
    line,
    length,
    /** Returns the bend inwards at a distance along the ring, in radians per unit of length. */
    bendAt: (s) => bends[Math.floor(((((s / length) % 1) + 1) % 1) * samples) % samples],
    /**
     * Returns the point at distance `s` along the ring and `d` to the inside of its middle (1 is the edge).
     */
    place(s, d) {
      const { x, y, inX, inY } = at(s);
      return { x: x + inX * d * halfWidth, y: y + inY * d * halfWidth };
    },
    /** Dust to gather, the same for both players and in each lap, now inside, now outside. */
    dust: Array.from({ length: 14 }, (_, index) => ({
      s: ((index + 0.7) * length) / 14,
      d: 0.72 * Math.sin(index * 2.4 + points[0][0]),
    })),
  };
}
