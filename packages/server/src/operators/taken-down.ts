import type { AnswerOf } from '@spaceport/contract/operation';
import type { readTakenDown as operation } from '@spaceport/contract/taken-down';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { giveBack, readTakenDown, takeDown } from '../versions/taken-down.ts';
import { type Actor, audit } from './audit.ts';
import type { ListQuery } from './list-query.ts';

const sha256 = /^[0-9a-f]{64}$/u;

/**
 * Returns a page of taken-down files in the order of their hashes. The cursor is the last
 * hash of the previous page.
 */
export async function listTakenDown(
  { database: { db } }: Pick<Platform, 'database'>,
  { cursor, limit }: ListQuery,
): Promise<AnswerOf<typeof operation>> {
  const rows = await readTakenDown(db, cursor, limit + 1);
  const page = rows.slice(0, limit);
  return {
    files: page.map(({ hash, reason, taken_down_at, versions }) => ({
      sha256: hash,
      reason,
      taken_down_at: toTimestamp(taken_down_at),
      versions: versions.map(({ slug, number }) => ({ space: slug, version: number })),
    })),
    next: rows.length > limit ? (page.at(-1)?.hash ?? null) : null,
  };
}

/** Takes a file down, or allows it again, and writes the audit log. */
export async function changeTakenDown(
  { database }: Pick<Platform, 'database'>,
  hash: string,
  { down, reason, by }: { down: boolean; reason: string; by: Actor },
): Promise<{ sha256: string; taken_down: boolean }> {
  if (!sha256.test(hash)) {
    const message = 'must be 64 lower-case hex digits';
    throw new ServiceError('invalid', `«${hash.slice(0, 100)}» ${message}.`, {
      issues: [{ path: 'sha256', message }],
    });
  }
  await database.transaction(async (tx) => {
    const changed = down ? await takeDown(tx, hash, reason) : await giveBack(tx, hash);
    const action = down ? 'take_down' : 'give_back';
    if (changed) await audit(tx, { actor: by, action, subject: `file:${hash}`, reason });
  });
  return { sha256: hash, taken_down: down };
}
