/**
 * The progress of a player. With Spaceport it is kept in the account or the browser, without it until the
 * page is closed. A failed call (no network, a board that is gone) is ignored, so that it never stops a
 * flight.
 */
const spaceport = globalThis.Spaceport ?? null;
const slot = 'best';

/** The best score of all flights in the usual nights, and the best of each day. */
let kept = { score: 0, days: {} };

/** Joins the progress of two devices: the better of each score stays. */
function better(one, other) {
  const days = { ...one.days };
  for (const [day, score] of Object.entries(other.days)) days[day] = Math.max(score, days[day] ?? 0);
  // Keeps the scores of the last 31 days.
  const newest = Object.entries(days).sort().slice(-31);
  return {
    score: Math.max(one.score, other.score),
    days: Object.fromEntries(newest),
  };
}

export const bestOf = (day) => (day === null ? kept.score : (kept.days[day] ?? 0));

/**
 * Begins to listen to the page, and reads the progress.
 * @param listeners `pause(on)` and `mute(on)`
 */
export async function begin({ pause, mute }) {
  if (spaceport === null) return;
  spaceport.on('pause', () => pause(true));
  spaceport.on('resume', () => pause(false));
  spaceport.on('mute', mute);
  // The progress in the account may be better than that of the guest before.
  spaceport.on('player', read);
  spaceport.saves.onConflict((mine, theirs) => better(mine.data, theirs.data));
  await spaceport.ready();
  mute(spaceport.muted);
  await read();
}

async function read() {
  try {
    const save = await spaceport.saves.get(slot);
    if (save) kept = better(kept, save.data);
  } catch {}
}

/**
 * Begins a flight. Returns the runs of the boards that it can reach, by key.
 * @param day the day whose night is flown, such as `2026-11-22`; null for the usual nights
 */
export function takeOff(day) {
  spaceport?.playing(true);
  const boards = day === null ? ['score', 'first-moon'] : ['tonight'];
  return Object.fromEntries(boards.map((board) => [board, start(board)]));
}

async function start(board) {
  try {
    return (await spaceport?.run(board)) ?? null;
  } catch {
    return null;
  }
}

/** Posts the time of the first moon of a flight: `seconds` after its start. */
export async function firstMoon(runs, seconds) {
  await submit(runs['first-moon'], Math.round(seconds * 1_000));
}

/**
 * Ends a flight.
 * @returns the `Result` of its board, with `guest`; null if the score could not be posted
 */
export async function land(runs, day, { score, lit, bestChain, number }) {
  spaceport?.playing(false);
  if (score > bestOf(day)) spaceport?.celebrate();
  const days = day === null ? {} : { [day]: score };
  kept = better(kept, { score: day === null ? score : 0, days });
  const board = day === null ? 'score' : 'tonight';
  const [result] = await Promise.all([
    submit(runs[board], score, { night: number, lanterns: lit, chain: bestChain }),
    tell((stats) => stats.add('lanterns', lit)),
    tell((stats) => stats.set('best-chain', bestChain)),
    number > 1 && tell((stats) => stats.set('nights', number - 1)),
    write(),
  ]);
  return result === null ? null : { ...result, guest: spaceport.player.get().guest };
}

async function submit(run, score, meta) {
  try {
    return (await (await run)?.submit(score, { meta })) ?? null;
  } catch {
    return null;
  }
}

async function tell(what) {
  try {
    if (spaceport !== null) await what(spaceport.stats);
  } catch {}
}

async function write() {
  try {
    if (spaceport !== null) kept = better(kept, (await spaceport.saves.set(slot, kept)).data);
  } catch {}
}
