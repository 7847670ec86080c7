import { isRing } from './ring.js';

/** The module of the service that the page runs on, null without one. */
export const spaceport = globalThis.Spaceport ?? null;
const kind = 'ring';

/**
 * Runs a call, so that the game goes on if it fails. Returns its answer, `{ failed }` with the code of its
 * error, or null without Spaceport.
 */
export async function tell(what) {
  try {
    return spaceport === null ? null : await what(spaceport);
  } catch (error) {
    return { failed: error.code ?? 'unsupported' };
  }
}

/** Returns the text for players about a failure. */
export function wordsFor(code) {
  const words = {
    offline: 'There is no connection now.',
    timeout: 'There is no connection now.',
    rate_limited: 'That was a lot at once. Try again in a while.',
    sign_in_required: 'It takes an account, so that others see whose it is.',
    cancelled: 'It takes an account, so that others see whose it is.',
    banned: 'You are banned here.',
    not_found: 'It is not there any more.',
    full: 'There is no place left.',
    closed: 'It is closed.',
    unsupported: 'That needs the page of the game on its service.',
  };
  return words[code] ?? 'That did not work.';
}

/** Returns a page of rings that players have drawn, without items that are no ring. */
export async function listRings(by, cursor) {
  const query = { ...(by === 'mine' ? { mine: true } : { by }), ...(cursor && { cursor }), limit: 12 };
  const { items, next } = await spaceport.content.list(kind, query);
  return { rings: items.filter(({ data }) => isRing(data)).map(toRing), next };
}

/** Publishes a ring. A guest is asked to sign in first. */
export async function publishRing(title, points) {
  const { guest, handle } = spaceport.player.get();
  if (guest || handle === null) await tell(({ player }) => player.signIn());
  const ring = toRing(await spaceport.content.publish(kind, { points }, title));
  await tell(({ stats }) => stats.add('rings'));
  return ring;
}

function toRing({ data, ...item }) {
  return { ...item, points: data.points };
}

/** Stores that a race of two is over. */
export async function tellRace(isWon) {
  await tell(({ stats }) => stats.add('races'));
  if (!isWon) return;
  const wins = await tell(({ stats }) => stats.add('wins'));
  if (Number.isFinite(wins)) await tell(({ scores }) => scores.submit('wins', wins));
  await tell(({ celebrate }) => celebrate());
}
