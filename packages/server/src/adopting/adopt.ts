import type { AdoptedSpace } from '@spaceport/contract/adopting';
import { findCreator } from '../accounts/accounts.ts';
import { lockProgressOf } from '../achievements/achievements.ts';
import { adoptProgress } from '../achievements/adopt-progress.ts';
import { lockRankings } from '../boards/change-entries.ts';
import {
  adoptGuest,
  deleteGuestProgress,
  findAdoptedScores,
  findGuestStats,
  findGuestUnlocks,
  lockAdoptions,
} from '../guests/guests.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId, GuestId, SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import type { PlaySessions } from '../players/play-sessions.ts';
import { adoptSaves } from '../saves/adopt-saves.ts';
import { handKeysOver } from '../server-calls/idempotency.ts';
import { findSpacesById } from '../spaces/spaces.ts';
import { postAdoptedScores } from './adopted-scores.ts';

/** The most guests that an account adopts in an hour: one for each browser that it signs in with. */
const adoptionsPerHour = 20;

export interface Adoption {
  readonly adopted: AdoptedSpace[];
  readonly repeated: boolean;
  readonly waiting: number;
}

/**
 * Gives an account all that a guest has, in one transaction and once, however often it is requested.
 * @throws `conflict` if another account has adopted the guest, and `rate_limited`
 */
export async function adopt(
  { database }: Pick<Platform, 'database'>,
  sessions: Pick<PlaySessions, 'marks'>,
  playerId: AccountId,
  keyHash: string,
): Promise<Adoption> {
  const marks = await sessions.marks();
  return database.transaction(async (tx) => {
    await lockAdoptions(tx, [playerId]);
    // The account may have chosen its handle since its session was looked up.
    const account = { playerId, handle: (await findCreator(tx.db, playerId))?.handle ?? null };
    const guestId = await adoptGuest(tx, keyHash, playerId);
    if (guestId !== null)
      await requireWithin(
        tx,
        `adoptions:${playerId}`,
        { count: adoptionsPerHour, seconds: 3_600 },
        'Too many guests were taken over; try again later.',
      );
    const waiting = account.handle === null ? (await findAdoptedScores(tx, playerId)).length : 0;
    if (guestId === null) return { adopted: [], repeated: true, waiting };
    const adopted = await moveAll(tx, guestId, account, (spaceIds) =>
      handKeysOver(tx, spaceIds, (spaceId) => ({
        from: `${marks(spaceId, { kind: 'guest', keyHash })} `,
        to: `${marks(spaceId, { kind: 'account', ...account })} `,
      })),
    );
    return { adopted, repeated: false, waiting };
  });
}

async function moveAll(
  tx: Tx,
  guestId: GuestId,
  account: { readonly playerId: AccountId; readonly handle: string | null },
  handOver: (spaceIds: Iterable<SpaceId>) => Promise<void>,
): Promise<AdoptedSpace[]> {
  const { playerId } = account;
  const readProgress = async () => ({
    stats: await findGuestStats(tx, guestId),
    unlocks: await findGuestUnlocks(tx, guestId),
  });
  const before = await readProgress();
  const spaceIds = [...before.stats, ...before.unlocks].map(({ spaceId }) => spaceId);
  const scored = await findAdoptedScores(tx, playerId);
  const posted = account.handle === null ? [] : scored;
  // The order of locks is the same everywhere: rankings before progress before saves. Bans are
  // written under the first two.
  await lockRankings(tx, [...posted.map(({ space_id }) => space_id), ...spaceIds]);
  await lockProgressOf(tx, spaceIds);
  // A creator may have deleted some of it until the locks were taken.
  const { stats, unlocks } = await readProgress();
  const scores = await postAdoptedScores(tx, account);
  const gained = await adoptProgress(tx, playerId, { stats, unlocks });
  await deleteGuestProgress(tx, guestId);
  const own = scored.filter(({ guest_id }) => guest_id === guestId);
  await handOver(new Set([...spaceIds, ...own.map(({ space_id }) => space_id)]));
  const saves = await adoptSaves(tx, guestId, playerId);

  const results = new BySpace();
  for (const { spaceId, env, ...score } of scores) results.of(spaceId, env).scores.push(score);
  for (const { spaceId, env, key } of gained.stats) results.of(spaceId, env).stats.push(key);
  for (const { spaceId, env, key } of gained.unlocks) results.of(spaceId, env).achievements.push(key);
  for (const { spaceId, env, taken, kept } of saves) {
    if (taken.length + kept.length === 0) continue;
    results.of(spaceId, env).saves.push(...taken);
    results.of(spaceId, env).kept.push(...kept);
  }
  return results.named(tx);
}

type Came = Omit<AdoptedSpace, 'space'>;

/** What was adopted, by space and env. */
class BySpace {
  readonly #came = new Map<string, Came & { readonly spaceId: SpaceId }>();

  of(spaceId: SpaceId, env: Env): Came {
    const key = `${spaceId} ${env}`;
    const known = this.#came.get(key);
    if (known) return known;
    const came = { spaceId, env, scores: [], stats: [], achievements: [], saves: [], kept: [] };
    this.#came.set(key, came);
    return came;
  }

  async named(tx: Tx): Promise<AdoptedSpace[]> {
    const all = [...this.#came.values()];
    const spaces = await findSpacesById(tx.db, [...new Set(all.map(({ spaceId }) => spaceId))]);
    return all.flatMap(({ spaceId, ...came }) => {
      const space = spaces.get(spaceId);
      return space ? [{ space: { slug: space.slug, title: space.title }, ...came }] : [];
    });
  }
}
