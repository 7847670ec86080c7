import type { AnswerOf } from '@spaceport/contract/operation';
import type { PlayedVersion, readTelemetry } from '@spaceport/contract/telemetry';
import { dayOf } from '../activity/days.ts';
import type { Platform } from '../platform/context.ts';
import type { Env } from '../platform/db/schema.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { ownView } from '../spaces/space-view.ts';
import { sumErrors } from './errors.queries.ts';
import { quantilesOf, waitBoundsMs, weightBoundsBytes } from './histogram.ts';
import { type CountedSum, sumCounts } from './play-counts.queries.ts';
import { keptSince } from './sweep.ts';

const mostVersions = 100;

/**
 * Returns how one of the caller's spaces was loaded and played, by version.
 * @throws `not_found`
 */
export async function readOwnTelemetry(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  caller: CreatorCaller,
  slug: string,
  env: Env,
): Promise<AnswerOf<typeof readTelemetry>> {
  const { id: spaceId } = await ownView(db, slug, caller);
  const since = dayOf(keptSince(clock.now()));
  const counted = Map.groupBy(await sumCounts(db, { spaceId, env, since }), ({ version }) => version);
  const errors = new Map(
    (await sumErrors(db, { spaceId, env })).map((one) => [one.version, Number(one.count)]),
  );
  const numbers = [...new Set([...counted.keys(), ...errors.keys()])].sort((left, right) => right - left);
  return {
    env,
    versions: numbers
      .slice(0, mostVersions)
      .map((version) => toVersion(version, counted.get(version) ?? [], errors.get(version) ?? 0)),
  };
}

function toVersion(version: number, sums: readonly CountedSum[], errors: number): PlayedVersion {
  const of = (what: string) =>
    new Map(sums.filter((sum) => sum.what === what).map(({ bucket, count }) => [bucket, Number(count)]));
  const total = (counts: ReadonlyMap<number, number>) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [waits, sessions] = [of('wait'), total(of('sessions'))];
  return {
    version: version === 0 ? null : version,
    sessions,
    // A load may have been opened before the counted time, or on another node: then
    // only its play was counted.
    never_played: Math.max(0, sessions - total(waits)),
    seconds: total(of('seconds')),
    ms_to_play: quantilesOf(waitBoundsMs, waits),
    bytes_to_play: quantilesOf(weightBoundsBytes, of('bytes')),
    errors,
  };
}
