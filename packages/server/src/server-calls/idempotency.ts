import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { idempotencyHeader, replayedHeader } from '@spaceport/contract/server-calls';
import type { Database } from '../platform/db/database.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { fromJson, type Json } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { OperationAnswer } from '../platform/http/operations.ts';
import { deleteAnswersUpTo, findAnswers, putAnswers, renameKeys } from './idempotency.queries.ts';

/**
 * `Idempotency-Key` (contract §5): a call that was done is not done again, its first answer is given again. The answer is
 * kept in the transaction that does what it tells of. A call that was refused has done nothing: its key is still free.
 */
export interface IdempotencyKey {
  readonly spaceId: SpaceId;
  readonly key: string;
  /** Of the operation and its body: another one with the same key is a mistake. */
  readonly requestHash: string;
}

export interface KeptAnswer {
  readonly requestHash: string;
  readonly status: number;
  /** The body. */
  readonly answer: Json<unknown>;
}

const keptMs = 24 * 3_600_000;
const printable = /^[\x20-\x7e]{1,128}$/u;

/**
 * The key that a call came with; null where it has none.
 * @throws `invalid`
 */
export function readIdempotencyKey(
  headers: IncomingHttpHeaders,
  spaceId: SpaceId,
  operationId: string,
  body: unknown,
): IdempotencyKey | null {
  const key = headers[idempotencyHeader];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !printable.test(key)) {
    const message = 'must be 1 to 128 printable ASCII characters';
    throw new ServiceError('invalid', `The Idempotency-Key header ${message}.`, {
      issues: [{ path: idempotencyHeader, message }],
    });
  }
  return { spaceId, key, requestHash: hash('sha256', `${operationId} ${JSON.stringify(body)}`) };
}

/** Of the lock under which calls with one key take turns, on every node. */
export function lockName({ spaceId, key }: IdempotencyKey): string {
  return `idempotency:${spaceId}:${key}`;
}

export function keptKey({ spaceId, key }: Pick<IdempotencyKey, 'spaceId' | 'key'>): string {
  return `${spaceId} ${key}`;
}

/** @throws `conflict` where the key came with another request */
export function requireSameRequest({ requestHash }: IdempotencyKey, kept: KeptAnswer): void {
  if (kept.requestHash === requestHash) return;
  throw new ServiceError('conflict', 'This Idempotency-Key was used with another request in the last day.');
}

/** The answer that was kept, as it was given. */
export function replayed<Body>({ status, answer }: KeptAnswer): OperationAnswer<Body> {
  // Written by `keepAnswers` for the same operation, which the hash is made of too.
  return { status, body: fromJson(answer) as Body, json: answer, headers: { [replayedHeader]: 'true' } };
}

/**
 * What these keys were answered in the last day; the caller holds their locks, by `lockName`.
 * @returns by `keptKey`
 */
export async function findKept(
  tx: Tx,
  keys: readonly IdempotencyKey[],
  now: number,
): Promise<Map<string, KeptAnswer>> {
  if (keys.length === 0) return new Map();
  const rows = await findAnswers(tx, keys, now - keptMs);
  return new Map(
    rows.map(({ space_id, key, request_hash, status, answer }) => [
      keptKey({ spaceId: space_id, key }),
      { requestHash: request_hash, status, answer },
    ]),
  );
}

/** Keeps answers that were just made, in the transaction that made them. */
export async function keepAnswers(
  tx: Tx,
  answers: readonly (IdempotencyKey & Omit<KeptAnswer, 'requestHash'>)[],
  now: number,
): Promise<void> {
  const rows = answers.map(({ spaceId, key, requestHash, status, answer }) => ({
    space_id: spaceId,
    key,
    request_hash: requestHash,
    status,
    answer,
    created_at: now,
  }));
  if (rows.length > 0) await putAnswers(tx, rows);
}

/** The keys of one player are from now on those of another: what is sent again in the name of the other was done already. */
export async function handKeysOver(
  tx: Tx,
  spaceIds: Iterable<SpaceId>,
  prefixIn: (spaceId: SpaceId) => { readonly from: string; readonly to: string },
): Promise<void> {
  for (const spaceId of spaceIds) await renameKeys(tx, { spaceId, ...prefixIn(spaceId) });
}

/** Forgets answers of over a day ago. */
export async function sweepIdempotentAnswers(database: Database, now: number): Promise<void> {
  await deleteAnswersUpTo(database.db, now - keptMs);
}
