import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../clock/clock.ts';
import type { Database } from '../db/database.ts';
import type { Db } from '../db/schema.ts';
import type { Tx } from '../db/tx.ts';
import { isOutage } from '../outage.ts';
import type { RepeatedFailure } from '../repeated-failure.ts';
import { newId } from '../secrets/id.ts';
import { backOffMs, isLastAttempt, type MostAttempts } from './back-off.ts';
import {
  endRun,
  type FailedRun,
  findDueKinds,
  freeRun,
  isOneDue,
  type Leased,
  leaseDue,
  writeFailure,
} from './due-jobs.queries.ts';
import { createLookLog } from './look-log.ts';
import { QuietMoment, type Rest } from './quiet-moment.ts';

/**
 * A kind of job. The job queue is a table: jobs are written in the transaction that causes them, leased by a
 * worker, and deleted in the transaction that does their work. If a worker dies, its lease ends and the job
 * runs again. So a job carries only a reference, reads the state anew, and may run twice. A job that is
 * requested while it runs is run again afterwards, so that no change that requests a job in its own
 * transaction is missed. An outage of database, store or machine is waited out, however long it lasts; only
 * the job's own failures are counted.
 */
export interface JobKind {
  readonly kind: string;
  /** How long one run may take. */
  readonly timeoutSeconds: number;
  /** The job is given up after this many failures of its own. */
  readonly maxAttempts: MostAttempts;
  /** How many jobs of this kind may run at the same time in one process. */
  readonly concurrency: number;
  /** Lets due jobs of another kind go first, but waits for them no longer than this. */
  readonly behind?: { readonly kind: string; readonly atMostSeconds: number };
  /** Lets a due job wait until the work that came before it is over. */
  readonly rest?: Rest;
  run(job: LeasedJob): Promise<void>;
  /** Called when the last attempt has failed, to clean up the state. It is called again if it fails. */
  givenUp?(job: GivenUpJob, error: unknown): Promise<void>;
}

export interface GivenUpJob {
  readonly ref: string;
  /**
   * Call it in the transaction that cleans up: so both happen, or neither. Throws LeaseLost if the job was requested
   * meanwhile, or if another worker has it.
   */
  confirm(tx: Tx): Promise<void>;
}

export interface LeasedJob {
  readonly ref: string;
  readonly signal: AbortSignal;
  /**
   * Call it in the transaction that writes the result. Throws LeaseLost if the lease has ended, so that the result of
   * a late worker is thrown away.
   */
  confirmLease(tx: Tx): Promise<void>;
}

/** Another worker may have the job by now. */
export class LeaseLost extends Error {}

/** How often a worker looks for due jobs that nobody announced. */
const pollMs = 1_000;
/** How many times a lease is renewed within its length. */
const renewalsInLease = 3;

export class Worker {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #kinds: readonly JobKind[];
  readonly #running = new Map<string, Set<Promise<void>>>();
  readonly #abort = new AbortController();
  #poll: NodeJS.Timeout | null = null;
  #stopListening: (() => void) | null = null;
  #looking: Promise<void> | null = null;
  /** The kinds that wait for a quiet moment. */
  readonly #resting = new Map<string, { readonly moment: QuietMoment; readonly after: readonly string[] }>();
  /** Kinds of which a due job was announced; `*` stands for all kinds. */
  readonly #toLookFor = new Set<string>();
  readonly #looks: RepeatedFailure;
  readonly #leaseMs: number;

  /**
   * `leaseSeconds` is the length of a lease. It is renewed while the job runs; after a worker's death the job
   * is free again when it ends.
   */
  constructor(
    database: Database,
    clock: Clock,
    log: Logger,
    kinds: readonly JobKind[],
    leaseSeconds: number,
  ) {
    this.#leaseMs = leaseSeconds * 1000;
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.#looks = createLookLog(log);
    this.#kinds = kinds;
    for (const { kind, rest } of kinds) {
      this.#running.set(kind, new Set());
      if (!rest) continue;
      this.#resting.set(kind, { moment: new QuietMoment(rest, () => this.#look(kind)), after: rest.after });
    }
  }

  start(): void {
    this.#stopListening = this.#database.announcements.listen('jobs', (kind) => this.#hear(kind));
    this.#poll = setInterval(() => this.#look('*'), pollMs);
    this.#poll.unref();
    this.#look('*');
  }

  /** Aborts the running jobs and waits for them. Their leases are given back. */
  async stop(): Promise<void> {
    this.#stopListening?.();
    if (this.#poll) clearInterval(this.#poll);
    for (const { moment } of this.#resting.values()) moment.stop();
    this.#abort.abort();
    await this.#looking;
    await Promise.allSettled([...this.#running.values()].flatMap((runs) => [...runs]));
  }

  /** Resolves when no job is due or running. For tests. */
  async settle(): Promise<void> {
    for (;;) {
      for (const kind of [...this.#resting.keys(), '*']) this.#look(kind);
      // A look that was under way may have missed jobs that came due since: wait for the look after it too.
      while (this.#looking) await this.#looking;
      const runs = [...this.#running.values()].flatMap((set) => [...set]);
      if (runs.length === 0) return;
      await Promise.all(runs);
    }
  }

  #hear(kind: string): void {
    for (const { moment, after } of this.#resting.values()) if (after.includes(kind)) moment.disturb();
    const resting = this.#resting.get(kind);
    if (resting) resting.moment.begin();
    else this.#look(kind);
  }

  #look(kind: string): void {
    if (this.#abort.signal.aborted) return;
    this.#toLookFor.add(kind);
    this.#looking ??= this.#leaseAll()
      .then(
        (shows) => {
          if (shows) this.#looks.succeeded();
        },
        (error: unknown) => this.#looks.failed(error),
      )
      .finally(() => {
        this.#looking = null;
        const [next] = this.#toLookFor;
        if (next !== undefined) this.#look(next);
      });
  }

  /** Returns whether it shows that jobs can be leased: one was, or none waits. On a full disk, reads alone succeed. */
  async #leaseAll(): Promise<boolean> {
    let leased = false;
    const asked = new Set(this.#toLookFor);
    this.#toLookFor.clear();
    // A kind that was announced is due. Otherwise one query for all kinds: most looks find nothing.
    const due = asked.has('*')
      ? await findDueKinds(this.#database.db, this.#kinds, this.#clock.now())
      : asked;
    for (const kind of this.#kinds) {
      if (!due.has(kind.kind)) continue;
      const resting = this.#resting.get(kind.kind);
      if (resting && !asked.has(kind.kind)) {
        resting.moment.begin();
        continue;
      }
      const runs = this.#running.get(kind.kind);
      while (runs && runs.size < kind.concurrency && !this.#abort.signal.aborted) {
        const job = await this.#lease(kind);
        if (!job) break;
        leased = true;
        const run: Promise<void> = this.#run(kind, job).finally(() => {
          runs.delete(run);
          // The next one of its kind has waited too.
          if (kind.rest) this.#look(kind.kind);
          this.#look('*');
        });
        runs.add(run);
      }
    }
    return leased || (asked.has('*') && due.size === 0);
  }

  /** Leases a job of a kind that had one due a moment ago. */
  async #lease({ kind, behind }: JobKind): Promise<Leased | undefined> {
    const { db } = this.#database;
    const now = this.#clock.now();
    const lease = { lease: newId('lease'), until: now + this.#leaseMs };
    const isBehind = behind && (await isOneDue(db, { kind: behind.kind, now, runAt: now }));
    if (!isBehind) return leaseDue(db, { kind, now, runAt: now }, lease);
    const waited = { kind, now, runAt: now - behind.atMostSeconds * 1000 };
    // Reads before it writes: an idle worker must not take SQLite's one write lock every second.
    return (await isOneDue(db, waited)) ? leaseDue(db, waited, lease) : undefined;
  }

  async #run(kind: JobKind, job: Leased): Promise<void> {
    const log = this.#log.child({ job: job.id, kind: kind.kind, ref: job.ref });
    const timeout = AbortSignal.timeout(kind.timeoutSeconds * 1000);
    let isEnded = false;
    const confirmLease = async (tx: Tx) => {
      isEnded = await endRun(tx, job);
      if (!isEnded) throw new LeaseLost();
    };
    const renewal = this.#renewing(job);
    try {
      await kind.run({
        ref: job.ref,
        signal: AbortSignal.any([this.#abort.signal, timeout]),
        confirmLease,
      });
      // The job may not have called confirmLease, because it wrote nothing: it is done all the same.
      if (!isEnded) await this.#database.transaction(confirmLease);
    } catch (error) {
      if (error instanceof LeaseLost) return log.info('lease lost, result thrown away');
      await this.#putBack(kind, job, error).catch((failure) =>
        log.warn({ err: failure }, 'could not put the job back'),
      );
    } finally {
      clearInterval(renewal);
    }
  }

  /**
   * Renews the lease of a job that runs for longer. If a renewal fails, the lease may end, and another worker
   * runs the job anew.
   */
  #renewing({ id, lease }: Leased): NodeJS.Timeout {
    const renew = () =>
      this.#database.db
        .updateTable('jobs')
        .set({ leased_until: this.#clock.now() + this.#leaseMs })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .execute()
        .catch(() => {});
    return setInterval(() => void renew(), this.#leaseMs / renewalsInLease).unref();
  }

  /** Puts the job back, and tries again while the database is down: its outage must not count as the job's failure. */
  async #putBack(kind: JobKind, job: Leased, error: unknown): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#failed(kind, job, error);
      } catch (failure) {
        if (!isOutage(failure) || this.#abort.signal.aborted) throw failure;
        await pause(backOffMs(attempt), undefined, { ref: false, signal: this.#abort.signal });
      }
    }
  }

  async #failed(kind: JobKind, job: Leased, error: unknown): Promise<void> {
    const stopping = this.#abort.signal.aborted;
    const outage = !stopping && isOutage(error);
    const giveUp = !stopping && !outage && isLastAttempt(job.attempts, kind.maxAttempts, error);
    const log = this.#log.child({ job: job.id, kind: kind.kind, ref: job.ref, attempts: job.attempts });
    if (outage) log.warn({ err: error }, 'job waits for an outage to end');
    else if (!stopping) log.warn({ err: error, giveUp }, 'job failed');
    const now = this.#clock.now();
    const outages = outage ? job.outages + 1 : 0;
    const failed: FailedRun = {
      // An attempt that our own stop or an outage interrupted does not count.
      attempts: stopping || outage ? job.attempts - 1 : job.attempts,
      outages: stopping ? job.outages : outages,
      run_at: stopping ? now : now + backOffMs(outage ? outages : job.attempts),
      created_at: now,
      last_error: String(error).slice(0, 500),
      failed_at: giveUp ? now : null,
    };
    const confirm = async ({ db }: { readonly db: Db }) => {
      if (!(await writeFailure(db, job, failed))) throw new LeaseLost();
    };
    try {
      if (giveUp && kind.givenUp) await kind.givenUp({ ref: job.ref, confirm }, error);
      else await confirm(this.#database);
    } catch (failure) {
      if (!(failure instanceof LeaseLost)) throw failure;
      await freeRun(this.#database.db, job, failed);
    }
  }
}
