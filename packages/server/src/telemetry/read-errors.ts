import type { AnswerOf } from '@spaceport/contract/operation';
import type { readErrors, SpaceError, SpaceErrorWithStack } from '@spaceport/contract/telemetry';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { ownView } from '../spaces/space-view.ts';
import {
  type ErrorRow,
  findBrowsers,
  findError,
  findErrors,
  findSeen,
  findStack,
  type SeenRow,
  setResolved,
} from './errors.queries.ts';
import type { MapStack } from './map-stack.ts';

const shownVersions = 20;
const shownBrowsers = 5;

export interface ErrorsQuery {
  readonly env: Env;
  readonly version?: number | undefined;
  readonly resolved: 'true' | 'false';
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of errors in one of the caller's spaces.
 * @throws `not_found`, and `invalid` for an invalid cursor
 */
export async function readOwnErrors(
  { database: { db } }: Pick<Platform, 'database'>,
  caller: CreatorCaller,
  slug: string,
  { env, version, resolved, limit, cursor }: ErrorsQuery,
): Promise<AnswerOf<typeof readErrors>> {
  const { id: spaceId } = await ownView(db, slug, caller);
  const filter = { spaceId, env, version, isResolved: resolved === 'true' };
  const rows = await findErrors(db, filter, { after: decodeCursor(cursor), limit: limit + 1 });
  const { page, next } = pageOf(rows, limit, ({ last_at, id }) => ({ value: last_at, id }));
  return { errors: await toErrors(db, page), next };
}

/**
 * Returns one error of one of the caller's spaces, with a stack.
 * @throws `not_found`
 */
export async function readOwnError(
  { database: { db } }: Pick<Platform, 'database'>,
  caller: CreatorCaller,
  { slug, id }: { slug: string; id: string },
  mapStack: MapStack,
): Promise<SpaceErrorWithStack> {
  const { id: spaceId } = await ownView(db, slug, caller);
  const error = await requireError(db, spaceId, id);
  const found = await findStack(db, id);
  const { stack = null, version = 0, version_id: versionId = null } = found ?? {};
  const mapped = stack === null || versionId === null ? null : await mapStack(versionId, stack);
  return {
    ...error,
    stack: mapped ?? stack,
    stack_version: version === 0 ? null : version,
    mapped: mapped !== null,
  };
}

/**
 * Marks an error of one of the caller's spaces as resolved, or as open.
 * @throws `not_found`
 */
export async function changeOwnError(
  { database }: Pick<Platform, 'database'>,
  caller: CreatorCaller,
  { slug, id }: { slug: string; id: string },
  isResolved: boolean,
): Promise<SpaceError> {
  const { id: spaceId } = await ownView(database.db, slug, caller);
  await requireError(database.db, spaceId, id);
  await database.transaction((tx) => setResolved(tx, id, isResolved));
  return requireError(database.db, spaceId, id);
}

async function requireError(db: Db, spaceId: SpaceId, id: string): Promise<SpaceError> {
  const row = await findError(db, spaceId, id);
  const [error] = row ? await toErrors(db, [row]) : [];
  if (!error) throw new ServiceError('not_found', 'There is no such error in this space.');
  return error;
}

/** Leaves out errors whose versions are all deleted. */
async function toErrors(db: Db, rows: readonly ErrorRow[]): Promise<SpaceError[]> {
  const ids = rows.map(({ id }) => id);
  const seen = Map.groupBy(await findSeen(db, ids), ({ error_id }) => error_id);
  const browsers = Map.groupBy(await findBrowsers(db, ids), ({ error_id }) => error_id);
  return rows.flatMap((row) => {
    const versions = seen.get(row.id);
    if (!versions) return [];
    return {
      id: row.id,
      kind: row.kind,
      message: row.message,
      place: row.place,
      ...sumOf(versions),
      versions: versions
        .slice(0, shownVersions)
        .map((one) => ({ version: one.version === 0 ? null : one.version, ...sumOf([one]) })),
      browsers: (browsers.get(row.id) ?? [])
        .slice(0, shownBrowsers)
        .map(({ browser, count }) => ({ browser, count })),
      resolved: row.resolved_at !== null,
    };
  });
}

function sumOf(rows: readonly SeenRow[]) {
  const sum = (field: 'count' | 'sessions') => rows.reduce((total, row) => total + row[field], 0);
  return {
    count: sum('count'),
    sessions: sum('sessions'),
    first_seen: toTimestamp(Math.min(...rows.map(({ first_at }) => first_at))),
    last_seen: toTimestamp(Math.max(...rows.map(({ last_at }) => last_at))),
  };
}
