import type { Platform } from '../platform/context.ts';
import { givenId, type SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { takeFromLimit } from '../platform/limits/rate-limit.ts';
import { queueMail } from '../platform/mail/outbox.ts';
import { createUrls } from '../platform/urls.ts';
import { findToldOwner } from '../spaces/spaces.ts';
import { type DomainMail, endedMail, missingMail } from './domain-mails.ts';
import {
  changeDomain,
  type DomainRow,
  findDomainWithSlug,
  findDueDomains,
  findLiveDomain,
} from './domains.queries.ts';
import { findLacking } from './records.ts';
import type { DomainResolver } from './resolver.ts';

export const domainJob = 'domain';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const retryMs = 10 * minuteMs;
const waitsMs = 7 * dayMs;
/** How long a live host may lack its records: a zone that is being moved may lack them for a while. */
const patienceMs = dayMs;
const dueAtOnce = 500;
const warnings = { count: 1, seconds: dayMs / 1000 };

/**
 * Makes the job that looks at the records of one host. The host becomes live when they are there, and stops
 * being live once they were missing for a day.
 */
export function createDomainJob(platform: Platform, dns: DomainResolver): JobKind {
  const { database } = platform;

  async function look(spaceId: SpaceId, { patient }: { patient: boolean }): Promise<void> {
    // Deleted spaces are looked at too: they may be restored, and must not block a host that somebody else
    // proves meanwhile.
    const row = await findDomainWithSlug(database.db, spaceId);
    if (!row || row.state === 'failed') return;
    const target = new URL(platform.urls.live(row.slug)).hostname;
    let lacking: string | null;
    try {
      lacking = await findLacking(dns, { ...row, target });
    } catch {
      await database.transaction((tx) => writeSilence(tx, row));
      return;
    }
    if (lacking === null) await goLive(row);
    else await database.transaction((tx) => writeLacking(tx, row, lacking, patient));
  }

  async function goLive(row: DomainRow): Promise<void> {
    if (row.live_host === null) {
      // The space that has the host may have lost its records. Then the host goes to this space, which has
      // proved it now.
      const other = await findLiveDomain(database.db, row.host);
      if (other) await look(other.spaceId, { patient: false });
    }
    await database.transaction(async (tx) => {
      const other = await findLiveDomain(tx.db, row.host);
      if (other && other.spaceId !== row.space_id) {
        await writeLacking(tx, row, 'Another space has this host name, and its records are there too.', true);
        return;
      }
      const begun_at = row.live_host === null ? tx.now : row.begun_at;
      const live = {
        state: 'live',
        reason: null,
        lacking_since: null,
        live_host: row.host,
        begun_at,
      } as const;
      if (!(await changeDomain(tx, row, { ...live, due_at: tx.now + dayMs / 4 }))) return;
      if (row.live_host === null) tx.announce('domain', row.host);
    });
  }

  return {
    kind: domainJob,
    timeoutSeconds: 120,
    maxAttempts: 5,
    concurrency: 4,
    run: ({ ref }) => look(givenId('spc', ref), { patient: true }),
  };
}

/**
 * Records that the DNS did not answer. A live host stays live: its records may be there. One that waits does not wait
 * for ever: the servers of a zone may never answer.
 */
async function writeSilence(tx: Tx, row: DomainRow): Promise<void> {
  if (row.state === 'live') await changeDomain(tx, row, { due_at: tx.now + retryMs });
  else await writeLacking(tx, row, `The DNS gave no answer about ${row.host}.`, true);
}

async function writeLacking(tx: Tx, row: DomainRow, reason: string, patient: boolean): Promise<void> {
  const { now } = tx;
  if (row.state === 'live') {
    const since = row.lacking_since ?? now;
    if (patient && now - since < patienceMs) {
      const isNoted = await changeDomain(tx, row, { reason, lacking_since: since, due_at: now + retryMs });
      if (isNoted && row.lacking_since === null) await warnOwner(tx, row, reason);
      return;
    }
    const waiting = { state: 'waiting', lacking_since: null, live_host: null, begun_at: now } as const;
    if (!(await changeDomain(tx, row, { ...waiting, reason, due_at: now + retryMs }))) return;
    tx.announce('domain', row.host);
    await mailOwner(tx, row, endedMail, reason);
    return;
  }
  if (now - row.begun_at < waitsMs) await changeDomain(tx, row, { reason, due_at: now + retryMs });
  else await changeDomain(tx, row, { state: 'failed', reason, begun_at: now, due_at: null });
}

/** Tells the owner while there is time to mend it; once a day, if the records come and go. */
async function warnOwner(tx: Tx, row: DomainRow, reason: string): Promise<void> {
  const { allowed } = await takeFromLimit(tx, `domain-mail:${row.space_id}`, warnings);
  if (allowed) await mailOwner(tx, row, missingMail, reason);
}

async function mailOwner(
  tx: Tx,
  { space_id, host }: DomainRow,
  mailTo: DomainMail,
  reason: string,
): Promise<void> {
  const owner = await findToldOwner(tx.db, space_id);
  if (owner) await queueMail(tx, mailTo(owner, host, reason, createUrls(tx.config).app));
}

/** Requests a look at each host that is due. */
export async function sweepDomains({ database, clock, config }: Platform): Promise<void> {
  if (!config.CUSTOM_DOMAINS) return;
  const due = await findDueDomains(database.db, clock.now(), dueAtOnce);
  for (const spaceId of due) await database.transaction((tx) => tx.enqueue(domainJob, spaceId));
}
