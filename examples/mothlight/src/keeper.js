/**
 * What is kept of a player: with Spaceport in their account or browser, without it for as long as the page is open.
 * Nothing here may stop a flight: what fails (no network, a board that is gone) is left.
 */
const spaceport = globalThis.Spaceport ?? null;
const slot = 'best';

/** The best score of all flights, and the best under each day's sky. */
let kept = { score: 0, days: {} };

/** Two devices may each have flown on: the better of both stays. */
function better(one, other) {
  const days = { ...one.days };
  for (const [day, score] of Object.entries(other.days)) days[day] = Math.max(score, days[day] ?? 0);
  // A month of skies is enough to look back on.
  const newest = Object.entries(days).sort().slice(-31);
  return {
    score: Math.max(one.score, other.score),
    days: Object.fromEntries(newest),
  };
}

export const bestOf = (day) => (day === null ? kept.score : (kept.days[day] ?? 0));

/** @param listeners `pause(on)` and `mute(on)` */
export async function begin({ pause, mute }) {
  if (spaceport === null) return;
  spaceport.on('pause', () => pause(true));
  spaceport.on('resume', () => pause(false));
  spaceport.on('mute', mute);
  // What the account has may be better than what its player flew as a guest.
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
 * A flight begins: its runs at the boards that it may reach.
 * @param day null for the nights that are always there, else whose sky it is: `2026-11-22`
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

/** The first moon of a flight, after so many seconds. */
export async function firstMoon(runs, seconds) {
  await submit(runs['first-moon'], Math.round(seconds * 1_000));
}

/**
 * A flight has ended.
 * @returns the `Result` of its board, and whether it is a guest's; null where nobody could be asked
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
