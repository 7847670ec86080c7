/**
 * The progress of a player. With Spaceport it is kept in the account or the browser, without it until the
 * page is closed.
 */
const spaceport = globalThis.Spaceport ?? null;
const slot = 'walk';

/**
 * @typedef {{ pond: number, fewest: Record<string, number>, days: string[] }} Walk the next pond, the fewest
 * touches for each pond, and the days whose pond is in bloom
 */

/** @type {Walk} */
export let walk = { pond: 1, fewest: {}, days: [] };

/** Joins the progress of two devices, so that nothing of either is lost. */
export function joined(one, other) {
  const fewest = { ...one.fewest };
  for (const [pond, touches] of Object.entries(other.fewest))
    fewest[pond] = Math.min(touches, fewest[pond] ?? touches);
  return {
    pond: Math.max(one.pond, other.pond),
    fewest,
    days: [...new Set([...one.days, ...other.days])].sort().slice(-60),
  };
}

export async function begin() {
  await spaceport?.ready();
  spaceport?.saves.onConflict((mine, theirs) => joined(mine.data, theirs.data));
  await load();
}

/** Reads the progress. Called after a sign-in too, because the account may be further on. */
export async function load() {
  try {
    const kept = await spaceport?.saves.get(slot);
    if (kept) walk = joined(walk, kept.data);
  } catch {
    // A pond can be played without the earlier progress.
  }
}

async function keep(change) {
  walk = joined(walk, change);
  if (spaceport === null) return;
  try {
    walk = joined(walk, (await spaceport.saves.set(slot, walk)).data);
  } catch {
    // The next write keeps this progress too.
  }
}

/**
 * Stores that a pond is in bloom.
 * @param touches how many the player needed
 * @returns the number of ponds in bloom
 */
export async function pondDone(number, touches) {
  await keep({ pond: number + 1, fewest: { [number]: touches }, days: [] });
  return Object.keys(walk.fewest).length;
}

/** Stores that a day's pond is in bloom. @returns whether it is the first time */
export async function dayDone(day) {
  const isFirst = !walk.days.includes(day);
  await keep({ pond: 1, fewest: {}, days: [day] });
  return isFirst;
}

/**
 * Runs a call, so that the game goes on if it fails. Returns its answer, `{ failed }` with the code of its
 * error, or null without Spaceport.
 */
export async function tell(what) {
  try {
    return spaceport === null ? null : await what(spaceport);
  } catch (error) {
    return { failed: error.code };
  }
}

export const on = (event, listener) => spaceport?.on(event, listener);
export const isGuest = () => spaceport?.player.get().guest ?? true;
export const isMuted = () => spaceport?.muted ?? false;
