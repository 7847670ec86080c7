/** A small seeded generator (mulberry32): the same seed gives the same numbers everywhere. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const mix = (a, b, t) => a + (b - a) * t;
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/**
 * The length of a vector. The rules use square roots and the four operations alone, whose results every browser
 * agrees on to the last bit; of Math.hypot, sin and atan2 that is not so, and nights would differ.
 */
export const lengthOf = (x, y) => Math.sqrt(x * x + y * y);
