import { telemetryDays } from '@spaceport/contract/telemetry';
import { dayOf } from '../activity/days.ts';
import type { Platform } from '../platform/context.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { deleteErrorsBefore } from './errors.queries.ts';
import { deleteCountsBefore, deleteCountsOfSandbox } from './play-counts.queries.ts';
import { deleteErrorsOfSandbox } from './write-errors.queries.ts';

/** Returns the instant since which telemetry is kept, in epoch milliseconds. */
export function keptSince(now: number): number {
  return now - telemetryDays * 86_400_000;
}

/** Deletes counts and errors that are older than that. */
export async function sweepTelemetry({
  database: { db },
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const since = keptSince(clock.now());
  await deleteCountsBefore(db, dayOf(since));
  await deleteErrorsBefore(db, since);
}

/** Deletes the telemetry of a space's previews and unlisted page. */
export async function clearSandboxTelemetry(tx: Tx, spaceId: SpaceId): Promise<void> {
  await deleteCountsOfSandbox(tx, spaceId);
  await deleteErrorsOfSandbox(tx, spaceId);
}
