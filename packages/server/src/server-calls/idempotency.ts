import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../platform/db/database.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { fromJson, type Json } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import {
  hashRequest,
  keptForMs,
  readGivenKey,
  replayedHeaders,
  usedWithAnother,
} from '../platform/http/idempotency-key.ts';
import type { OperationAnswer } from '../platform/http/operations.ts';
import { deleteAnswersUpTo, findAnswers, putAnswers, renameKeys } from './idempotency.queries.ts';

/**
 * `Idempotency-Key`: a call that was done is not done again, but gets its first answer
 * again. The answer is stored in the transaction of the call. A refused call has done nothing, so
 * its key can be used again.
 */
export interface IdempotencyKey {
  readonly spaceId: SpaceId;
  readonly key: string;
  /** The hash of the operation and its body. Another request with the same key is a mistake. */
  readonly requestHash: string;
}

export interface KeptAnswer {
  readonly requestHash: string;
  readonly status: number;
  /** The body. */
  readonly answer: Json<unknown>;
}

/**
 * Returns the key of a call; null if it has none.
 * @throws `invalid`
 */
export function readIdempotencyKey(
  headers: IncomingHttpHeaders,
  spaceId: SpaceId,
  operationId: string,
  body: unknown,
): IdempotencyKey | null {
  const key = readGivenKey(headers);
  return key === null ? null : { spaceId, key, requestHash: hashRequest(operationId, body) };
}

/** Returns the name of the lock under which calls with the same key take turns, on every node. */
export function lockName({ spaceId, key }: IdempotencyKey): string {
  return `idempotency:${spaceId}:${key}`;
}

export function keptKey({ spaceId, key }: Pick<IdempotencyKey, 'spaceId' | 'key'>): string {
  return `${spaceId} ${key}`;
}

/** @throws `conflict` if the key was used with another request */
export function requireSameRequest({ requestHash }: IdempotencyKey, kept: KeptAnswer): void {
  if (kept.requestHash === requestHash) return;
  throw usedWithAnother();
}

/** Returns the stored answer as it was given. */
export function replayed<Body>({ status, answer }: KeptAnswer): OperationAnswer<Body> {
  // `keepAnswers` wrote it for the same operation, which is a part of the hash.
  return { status, body: fromJson(answer) as Body, json: answer, headers: { ...replayedHeaders } };
}

/**
 * Finds the answers to these keys in the last day. The caller holds their locks, by `lockName`.
 * @returns answers by `keptKey`
 */
export async function findKept(
  tx: Tx,
  keys: readonly IdempotencyKey[],
  now: number,
): Promise<Map<string, KeptAnswer>> {
  if (keys.length === 0) return new Map();
  const rows = await findAnswers(tx, keys, now - keptForMs);
  return new Map(
    rows.map(({ space_id, key, request_hash, status, answer }) => [
      keptKey({ spaceId: space_id, key }),
      { requestHash: request_hash, status, answer },
    ]),
  );
}

/** Stores new answers, in the transaction that made them. */
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

/**
 * Gives the keys of one player to another, so that requests sent again by the other
 * player are recognized as done. Where the other one has used the same key, its own answer stays.
 */
export async function handKeysOver(
  tx: Tx,
  spaceIds: Iterable<SpaceId>,
  prefixIn: (spaceId: SpaceId) => { readonly from: string; readonly to: string },
): Promise<void> {
  const renamed = Array.from(spaceIds, (spaceId) => ({ spaceId, ...prefixIn(spaceId) }));
  await renameKeys(tx, renamed, tx.now - keptForMs);
}

/** Deletes answers that are over a day old. */
export async function sweepIdempotentAnswers(database: Database, now: number): Promise<void> {
  await deleteAnswersUpTo(database.db, now - keptForMs);
}
