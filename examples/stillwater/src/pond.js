/**
 * The rules. A pond is a grid of lilies, each closed (0), half open (1) or open (2). A touch moves a lily and
 * its four neighbours to their next state; open is followed by closed. A stone has no lily.
 */
export const open = 2;
const steps = open + 1;
export const pondsInAll = 40;

/** Returns the shape of a pond of the walk. Later ponds are larger, and some have stones. */
function shapeOf(number) {
  const size = number <= 6 ? 3 : number <= 20 ? 4 : 5;
  return {
    size,
    stones: number % 4 === 0 ? Math.min(4, Math.floor(number / 8) + 1) : 0,
    touches: 2 + Math.ceil(number / 4),
  };
}

export const pondOfWalk = (number) => layPond(`walk ${number}`, shapeOf(number));

/** @param day such as `2026-11-22`; everybody gets the same pond on a day */
export const pondOfDay = (day) => layPond(`day ${day}`, { size: 4, stones: 1, touches: 6 });

/**
 * Lays a pond backwards: from a pond in bloom, by touches that close lilies. As many touches, `needed`, open
 * it again.
 * @returns `{ size, lilies, needed }`; `lilies` are states by row, null for a stone
 */
function layPond(name, { size, stones, touches }) {
  const random = randomOf(name);
  const pick = () => Math.floor(random() * size * size);
  const lilies = new Array(size * size).fill(open);
  while (lilies.filter((lily) => lily === null).length < stones) lilies[pick()] = null;
  const pond = { size, lilies, needed: 0 };
  const touched = new Map();
  while (pond.needed < touches) {
    const at = pick();
    if (lilies[at] === null || (touched.get(at) ?? 0) === open) continue;
    touched.set(at, (touched.get(at) ?? 0) + 1);
    pond.needed++;
    // Two states forward are one state back.
    for (let step = 0; step < steps - 1; step++) touch(pond, at);
  }
  return isInBloom(pond) ? layPond(`${name} again`, { size, stones, touches }) : pond;
}

/** Returns the lilies that a touch moves: the touched one and those beside it. */
export function reach({ size, lilies }, at) {
  const [row, column] = [Math.floor(at / size), at % size];
  return [
    at,
    row > 0 && at - size,
    row < size - 1 && at + size,
    column > 0 && at - 1,
    column < size - 1 && at + 1,
  ].filter((one) => one !== false && lilies[one] !== null);
}

/** Touches a lily. Changes the pond. */
export function touch(pond, at) {
  for (const one of reach(pond, at)) pond.lilies[one] = (pond.lilies[one] + 1) % steps;
}

/** Takes a touch back. Changes the pond. */
export function touchBack(pond, at) {
  for (const one of reach(pond, at)) pond.lilies[one] = (pond.lilies[one] + steps - 1) % steps;
}

export const isInBloom = ({ lilies }) => lilies.every((lily) => lily === null || lily === open);

/** Returns a generator: mulberry32 over a hash of the name, so the same name gives the same numbers. */
function randomOf(name) {
  let state = 2166136261;
  for (const letter of name) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
