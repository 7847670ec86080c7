/** What stays: with Spaceport in its account or browser, and without it for as long as the page is open. */
const spaceport = globalThis.Spaceport ?? null;
const slot = 'walk';

/** @typedef {{ pond: number, fewest: Record<string, number>, days: string[] }} Walk the pond to go on with, the fewest touches that each took, and the days whose pond is in bloom */

/** @type {Walk} */
export let walk = { pond: 1, fewest: {}, days: [] };

/** Two devices may each have walked on: nothing that either has done is lost. */
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

/** Also after a sign-in: what the account has may be further on. */
export async function load() {
  try {
    const kept = await spaceport?.saves.get(slot);
    if (kept) walk = joined(walk, kept.data);
  } catch {
    // A pond can be played without what came before it.
  }
}

async function keep(change) {
  walk = joined(walk, change);
  if (spaceport === null) return;
  try {
    walk = joined(walk, (await spaceport.saves.set(slot, walk)).data);
  } catch {
    // The next pond that is done is kept with this one.
  }
}

/** @param needed the touches that it was laid with @returns how many ponds are in bloom */
export async function pondDone(number, touches) {
  await keep({ pond: number + 1, fewest: { [number]: touches }, days: [] });
  return Object.keys(walk.fewest).length;
}

/** @returns whether it is the first time today */
export async function dayDone(day) {
  const isFirst = !walk.days.includes(day);
  await keep({ pond: 1, fewest: {}, days: [day] });
  return isFirst;
}

/** What the game tells may fail (no network, no such board): it goes on. */
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
