/**
 * The progress of a player. With Spaceport it is kept in the account or the browser, without it until the
 * page is closed.
 */
const spaceport = globalThis.Spaceport ?? null;
const slot = 'logbook';

export const colours = [
  { name: 'paper', css: '#f4efe4', lamps: 0 },
  { name: 'rust', css: '#d9714b', lamps: 25 },
  { name: 'moss', css: '#7fae6b', lamps: 75 },
  { name: 'dusk', css: '#a486d8', lamps: 150 },
  { name: 'gold', css: '#f2c14e', lamps: 300 },
];

let log = { furthest: 0, lamps: 0, colour: 'paper' };

/** Joins the progress of two devices. Lamps are not added up, because both may count the same ones. */
function joined(one, other) {
  return {
    furthest: Math.max(one.furthest, other.furthest),
    lamps: Math.max(one.lamps, other.lamps),
    colour: one.colour,
  };
}

export const read = () => log;

export const isGuest = () => spaceport?.player.get().guest ?? true;

/**
 * Begins to listen to the page, and reads the log.
 * @param listeners `pause(on)`, `mute(on)` and `changed()`
 */
export async function open({ pause, mute, changed }) {
  if (spaceport === null) return;
  const load = async () => {
    const save = await attempt(() => spaceport.saves.get(slot));
    if (save) log = { ...joined(log, save.data), colour: save.data.colour };
    changed();
  };
  spaceport.on('pause', () => pause(true));
  spaceport.on('resume', () => pause(false));
  spaceport.on('mute', mute);
  spaceport.on('player', load);
  spaceport.saves.onConflict((mine, theirs) => joined(mine.data, theirs.data));
  await spaceport.ready();
  mute(spaceport.muted);
  await load();
}

export async function castOff() {
  spaceport?.playing(true);
  return attempt(() => spaceport?.run('distance'));
}

export function shavedClose() {
  return attempt(() => spaceport?.achievements.unlock('close-shave'));
}

/**
 * Ends a trip.
 * @returns the `Result` of its distance; null if it could not be posted, or waits for a connection
 */
export async function comeHome(run, metres, lamps) {
  spaceport?.playing(false);
  if (metres > log.furthest && log.furthest > 0) spaceport?.celebrate();
  log = { ...log, furthest: Math.max(metres, log.furthest), lamps: log.lamps + lamps };
  const [result] = await Promise.all([
    attempt(() => run?.submit(metres, { meta: { lamps } })),
    lamps > 0 && attempt(() => spaceport?.scores.submit('lamps', lamps)),
    lamps > 0 && attempt(() => spaceport?.stats.add('lamps', lamps)),
    attempt(() => spaceport?.stats.add('trips', 1)),
    attempt(() => spaceport?.stats.set('furthest', metres)),
    write(),
  ]);
  // A score that waits to be sent has no rank yet.
  return result?.queued ? null : result;
}

export function choose(colour) {
  log = { ...log, colour };
  return write();
}

async function write() {
  const save = await attempt(() => spaceport?.saves.set(slot, log));
  if (save) log = joined(log, save.data);
}

/** Returns null if a call fails, so that no call stops a trip. */
async function attempt(call) {
  try {
    return (await call()) ?? null;
  } catch {
    return null;
  }
}
