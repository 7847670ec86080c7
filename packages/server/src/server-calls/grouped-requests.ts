import type { Platform } from '../platform/context.ts';
import { lockAll } from '../platform/db/dialect.ts';
import { CommitLanes } from '../platform/db/group-commit.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { OperationAnswer } from '../platform/http/operations.ts';
import {
  findKept,
  type IdempotencyKey,
  keepAnswers,
  keptKey,
  lockName,
  replayed,
  requireSameRequest,
} from './idempotency.ts';

/** A request that writes to a space, and waits for a transaction with others. */
export interface GroupedRequest {
  readonly spaceId: SpaceId;
  readonly key: IdempotencyKey | null;
  /**
   * A name that makes requests exclusive: of those with the same one, the second is written after the first.
   */
  readonly alone?: string | null;
}

/** Describes one kind of request. */
export interface RequestKind<One extends GroupedRequest, Body> {
  /** The status of a successful answer. */
  readonly status: 200 | 201;
  /** Returns the name of the lock that is held while requests for a space are written. */
  readonly lockOf: (spaceId: SpaceId) => string;
  /** Locks rows that are always locked before the locks of a space. */
  readonly holdFirst?: (tx: Tx, requests: readonly One[]) => Promise<unknown>;
  /** Reads the data that all requests are checked against, after everything is locked. */
  begin(tx: Tx, requests: readonly One[]): Promise<RequestWriter<One, Body>>;
}

export interface RequestWriter<One extends GroupedRequest, Body> {
  /** Returns why a request is refused, even if it was done before; null if it is not. */
  refusal(request: One): ServiceError | null;
  /**
   * Writes requests that were not done before. Returns for each its answer, or the error
   * that it was refused with.
   */
  write(requests: readonly One[], now: number): Promise<(Body | ServiceError)[]>;
}

/**
 * Requests of one kind, committed together with those that arrive at the same time. Each
 * is done once for its key.
 */
export interface GroupedRequests<One extends GroupedRequest, Body> {
  /** Returns after the request is durable. */
  make(request: One): Promise<OperationAnswer<Body>>;
}

type Outcome<Body> = OperationAnswer<Body> | ServiceError;

export function groupRequests<One extends GroupedRequest, Body>(
  { database, clock }: Platform,
  kind: RequestKind<One, Body>,
): GroupedRequests<One, Body> {
  const write = (tx: Tx, requests: readonly One[]) => writeRequests(tx, requests, kind, clock.now());
  const lanes = new CommitLanes(database, write);
  return {
    async make(request) {
      const outcome = await lanes.commit(request.spaceId, request);
      if (outcome instanceof ServiceError) throw outcome;
      return outcome;
    },
  };
}

async function writeRequests<One extends GroupedRequest, Body>(
  tx: Tx,
  requests: readonly One[],
  kind: RequestKind<One, Body>,
  now: number,
): Promise<Outcome<Body>[]> {
  const keys = requests.flatMap(({ key }) => key ?? []);
  const spaceIds = new Set(requests.map(({ spaceId }) => spaceId));
  await kind.holdFirst?.(tx, requests);
  // What is read is sent right after the locks, without waiting for them: it runs when they are taken.
  const [, writer] = await Promise.all([
    lockAll(tx, [...Array.from(spaceIds, kind.lockOf), ...keys.map(lockName)]),
    kind.begin(tx, requests),
  ]);
  const outcomes = new Map<One, Outcome<Body>>();
  // Each round handles one request for each key, so that a second one finds the answer to the first.
  for (let rest = requests; rest.length > 0; ) {
    await writeRound(tx, eachOnce(rest), outcomes, { writer, status: kind.status, now });
    rest = rest.filter((request) => !outcomes.has(request));
  }
  return requests.map((request) => outcomes.get(request) ?? withoutAnswer());
}

/** Returns the first request for each key and each exclusive name. */
function eachOnce<One extends GroupedRequest>(requests: readonly One[]): One[] {
  const seen = new Set<string>();
  return requests.filter(({ key, alone = null }) => {
    const names = [
      ...(key === null ? [] : [`key ${keptKey(key)}`]),
      ...(alone === null ? [] : [`alone ${alone}`]),
    ];
    if (names.some((name) => seen.has(name))) return false;
    for (const name of names) seen.add(name);
    return true;
  });
}

/** Handles requests of which no two have the same key. */
async function writeRound<One extends GroupedRequest, Body>(
  tx: Tx,
  requests: readonly One[],
  outcomes: Map<One, Outcome<Body>>,
  { writer, status, now }: { writer: RequestWriter<One, Body>; status: number; now: number },
): Promise<void> {
  const keys = requests.flatMap(({ key }) => key ?? []);
  const kept = await findKept(tx, keys, now);
  const fresh = requests.filter((request) => {
    const outcome = writer.refusal(request) ?? earlierAnswer<Body>(request, kept);
    if (outcome) outcomes.set(request, outcome);
    return !outcome;
  });
  const written = fresh.length === 0 ? [] : await writer.write(fresh, now);
  const toKeep = [];
  for (const [index, request] of fresh.entries()) {
    const body = written[index] ?? withoutAnswer();
    outcomes.set(request, body instanceof ServiceError ? body : { status, body });
    if (request.key && !(body instanceof ServiceError))
      toKeep.push({ ...request.key, status, answer: toJson(body) });
  }
  await keepAnswers(tx, toKeep, now);
}

function earlierAnswer<Body>(
  { key }: GroupedRequest,
  kept: Awaited<ReturnType<typeof findKept>>,
): Outcome<Body> | null {
  const found = key && kept.get(keptKey(key));
  if (!key || !found) return null;
  try {
    requireSameRequest(key, found);
    return replayed(found);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function withoutAnswer(): never {
  throw new Error('a request without an answer');
}
