import { type Given, prepared } from '../db/prepared.ts';
import type { Db } from '../db/schema.ts';

/** Of which kinds there are jobs that are due and that no worker has. */
export const dueKinds = prepared((db, { now }: Given<{ now: number }>) =>
  db
    .selectFrom('jobs')
    .select('kind')
    .distinct()
    .where('failed_at', 'is', null)
    .where('run_at', '<=', now)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)])),
);

/** What no worker has, longest due first; with `runAt`, due since then at the latest. */
export function dueJobs(db: Db, kind: string, now: number, runAt = now) {
  return db
    .selectFrom('jobs')
    .select(['id', 'ref', 'asks', 'attempts', 'outages'])
    .where('kind', '=', kind)
    .where('failed_at', 'is', null)
    .where('run_at', '<=', runAt)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)]))
    .orderBy('run_at')
    .limit(1);
}
