import { keptDeliveries } from '@spaceport/contract/webhook-events';
import type { Platform } from '../platform/context.ts';
import { givenId, type WebhookId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind, LeasedJob } from '../platform/jobs/queue.ts';
import { queueMail } from '../platform/mail/outbox.ts';
import { findToldOwner } from '../spaces/spaces.ts';
import {
  type DeliveryRow,
  deleteDeliveriesOf,
  deleteOldDeliveries,
  endWaiting,
  findDue,
  findNextSend,
  noteAnswer,
} from './deliveries.queries.ts';
import { createHostSeats } from './host-seats.ts';
import { createPost, isGone, isTaken, type Posted } from './post-event.ts';
import { nextAttemptAt, pauseMs } from './retrying.ts';
import { switchedOffMail } from './switched-off-mail.ts';
import { webhookJob } from './tell.ts';
import { findTarget, noteAttempt, setPause, switchOff, type WebhookTarget } from './webhooks.queries.ts';

/** How many webhooks one process sends to at once, and how many of them at one host. */
const atOnce = 8;
const atOneHost = 2;
/** A webhook whose host is busy is tried again after this time. */
const busyMs = 1_000;

/**
 * Creates the job that sends a webhook one due event, records the answer, and schedules itself again if more
 * events wait. So webhooks take turns, and one that does not answer delays only itself. An event may be sent
 * twice with the same id: if a process ends before the answer is recorded, the event stays due.
 */
export function createWebhookJob({ database, clock, safeFetch, urls }: Platform): JobKind {
  const seats = createHostSeats(atOneHost);
  const post = createPost({ safeFetch, clock });

  const whileLeased = (job: LeasedJob, work: (tx: Tx) => Promise<void>): Promise<void> =>
    database.transaction(async (tx) => {
      await job.confirmLease(tx);
      await work(tx);
    });

  async function send(job: LeasedJob, target: WebhookTarget): Promise<void> {
    const due = await findDue(database.db, target.id, clock.now());
    const posted = due && (await post(target, due, job.signal));
    await whileLeased(job, async (tx) => {
      if (!due || !posted) return askAgain(tx, target.id);
      const failures = await noteAttempt(tx, target.id, !isTaken(posted));
      // The webhook was removed from the list in the meantime.
      if (failures === null) return deleteDeliveriesOf(tx, target.id);
      await finish(tx, target, due, posted);
      const pause = pauseMs({ failures, ms: posted.ms });
      if (pause > 0) await setPause(tx, target.id, tx.now + pause);
      await askAgain(tx, target.id);
    });
  }

  async function finish(tx: Tx, target: WebhookTarget, due: DeliveryRow, posted: Posted): Promise<void> {
    const attempts = due.attempts + 1;
    const next_at =
      isTaken(posted) || isGone(posted)
        ? null
        : nextAttemptAt({ attempts, since: due.since }, tx.now, Math.random());
    const state = isTaken(posted) ? 'delivered' : next_at === null ? 'failed' : 'waiting';
    const { at: tried_at, ms, status, answer } = posted;
    const isNoted = await noteAnswer(tx, due, { state, next_at, tried_at, ms, status, answer });
    if (isNoted && state === 'failed') await giveUp(tx, target, due, posted);
    await deleteOldDeliveries(tx, target.id, keptDeliveries);
  }

  /** Switches the webhook off, and tells its owner the reason. */
  async function giveUp(tx: Tx, target: WebhookTarget, due: DeliveryRow, posted: Posted): Promise<void> {
    const reason = isGone(posted) ? 'gone' : 'failing';
    if (!(await switchOff(tx, target.id, reason))) return;
    await endWaiting(tx, target.id);
    const owner = await findToldOwner(tx.db, target.space_id);
    if (!owner) return;
    const about = { ...owner, url: target.url, type: due.type, status: posted.status, reason } as const;
    await queueMail(tx, switchedOffMail(about, urls.app));
  }

  /**
   * Drops the waiting events of a webhook that is off or deleted, unless it was switched on in the meantime.
   */
  async function drop(job: LeasedJob, id: WebhookId): Promise<void> {
    await whileLeased(job, async (tx) => {
      const target = await findTarget(tx.db, id);
      if (!target) return deleteDeliveriesOf(tx, id);
      return isOpen(target) ? askAgain(tx, id) : endWaiting(tx, id);
    });
  }

  return {
    kind: webhookJob,
    timeoutSeconds: 60,
    maxAttempts: 20,
    concurrency: atOnce,
    async run(job) {
      const id = givenId('whk', job.ref);
      const target = await findTarget(database.db, id);
      if (!target || !isOpen(target)) return drop(job, id);
      // A new event does not bring the end of the pause forward.
      if ((target.paused_until ?? 0) > clock.now()) return whileLeased(job, (tx) => askAgain(tx, id));
      const leave = seats.take(new URL(target.url).host);
      if (leave === null) {
        return whileLeased(job, (tx) => tx.enqueue(webhookJob, id, tx.now + busyMs));
      }
      try {
        await send(job, target);
      } finally {
        leave();
      }
    },
  };
}

/**
 * Returns whether the webhook gets events: it is on, its space is not deleted, and the owner is not banned.
 */
function isOpen({ off_at, deletedAt, ownerBanned }: WebhookTarget): boolean {
  return off_at === null && deletedAt === null && ownerBanned === 0;
}

async function askAgain(tx: Tx, id: WebhookId): Promise<void> {
  const next = await findNextSend(tx, id);
  if (next !== null) await tx.enqueue(webhookJob, id, Math.max(next, tx.now));
}
