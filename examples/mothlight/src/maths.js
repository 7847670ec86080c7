/** Returns a seeded generator (mulberry32): the same seed gives the same numbers in every browser. */
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
 * Returns the length of a vector. The rules use only square roots and the four operations, whose results are
 * the same in every browser to the last bit. Those of Math.hypot, sin and atan2 are not, so nights would
 * differ.
 */
export const lengthOf = (x, y) => Math.sqrt(x * x + y * y);
