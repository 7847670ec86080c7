import { Readable } from 'node:stream';
import { findOwnSubmissions, findReplay, findReplayed } from '../boards/boards.ts';
import { readWhole } from '../content/content.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { readLost } from '../saves/losers.ts';
import { readSaved } from '../saves/saves.ts';
import { findSpaceById } from '../spaces/spaces.ts';
import {
  findAllLoserHeads,
  findAllPlayed,
  findAllSaveHeads,
  findAllUnlocked,
  findStats,
} from './own-play.queries.ts';
import { findContentHeads, findLikes } from './published.queries.ts';

const scoresAtOnce = 500;

/**
 * Exports everything that an account has played as the JSON of one file. It is read and sent in
 * pieces, however large it is.
 */
export function exportOwnPlay(
  { database: { db }, clock }: Platform,
  account: { readonly id: AccountId; readonly handle: string | null; readonly name: string },
): Readable {
  const { id, handle, name } = account;
  async function* file(): AsyncGenerator<string> {
    const head = JSON.stringify({ exported_at: toTimestamp(clock.now()), account: { handle, name } });
    yield head.slice(0, -1);
    yield* list('played', played(db, id));
    yield* list('scores', scores(db, id));
    yield* list('stats', stats(db, id));
    yield* list('achievements', achievements(db, id));
    yield* list('saves', saves(db, id));
    yield* list('losers', losers(db, id));
    yield* list('content', content(db, id));
    yield* list('likes', likes(db, id));
    yield '}\n';
  }
  return Readable.from(file(), { objectMode: false });
}

async function* list(name: string, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let before = '\n';
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ',\n';
  }
  yield ']';
}

async function* played(db: Db, accountId: AccountId) {
  for (const { slug, first_at, last_at, played_ms } of await findAllPlayed(db, accountId))
    yield {
      space: slug,
      first_at: toTimestamp(first_at),
      last_at: toTimestamp(last_at),
      seconds: Math.round(played_ms / 1_000),
    };
}

async function* scores(db: Db, accountId: AccountId) {
  const slugs = new Map<string, string | null>();
  let after: Parameters<typeof findOwnSubmissions>[2] = null;
  for (;;) {
    const page = await findOwnSubmissions(db, accountId, after, scoresAtOnce);
    const replayed = await findReplayed(
      db,
      page.map(({ id }) => id),
    );
    for (const { id, spaceId, env, board, score, meta, createdAt } of page) {
      if (!slugs.has(spaceId)) slugs.set(spaceId, (await findSpaceById(db, spaceId))?.slug ?? null);
      const more: unknown = meta === null ? null : JSON.parse(meta);
      const replay = replayed.has(id) ? (await findReplay(db, spaceId, id))?.data : undefined;
      const at = toTimestamp(createdAt);
      yield { id, space: slugs.get(spaceId), env, board, score, meta: more, at, replay };
    }
    const last = page.at(-1);
    if (!last || page.length < scoresAtOnce) return;
    after = last;
  }
}

async function* stats(db: Db, accountId: AccountId) {
  for (const { slug, env, key, value, updated_at } of await findStats(db, accountId))
    yield { space: slug, env, stat: key, value, at: toTimestamp(updated_at) };
}

async function* achievements(db: Db, accountId: AccountId) {
  for (const env of ['live', 'sandbox'] as const)
    for (const { slug, key, title, unlocked_at } of await findAllUnlocked(db, accountId, env))
      yield { space: slug, env, achievement: key, title, unlocked_at: toTimestamp(unlocked_at) };
}

async function* saves(db: Db, accountId: AccountId) {
  for (const { slug, space_id, env, slot } of await findAllSaveHeads(db, accountId)) {
    const saved = await readSaved(db, { playerId: accountId, spaceId: space_id, env }, slot);
    if (saved) yield { space: slug, env, ...saved };
  }
}

async function* losers(db: Db, accountId: AccountId) {
  for (const { id, slug, env, lost_at } of await findAllLoserHeads(db, accountId))
    yield { space: slug, env, lost_at: toTimestamp(lost_at), ...(await readLost(db, accountId, id)) };
}

async function* content(db: Db, accountId: AccountId) {
  for (const { id, slug, env, kind, title, likes, created_at } of await findContentHeads(db, accountId))
    yield {
      space: slug,
      env,
      id,
      kind,
      title,
      likes,
      at: toTimestamp(created_at),
      data: (await readWhole(db, id)) ?? null,
    };
}

async function* likes(db: Db, accountId: AccountId) {
  for (const { slug, env, content_id, at } of await findLikes(db, accountId))
    yield { space: slug, env, content: content_id, at: toTimestamp(at) };
}
