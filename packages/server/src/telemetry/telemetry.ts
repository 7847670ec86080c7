import type { BodyOf } from '@spaceport/contract/operation';
import type { reportErrors, reportPlay } from '@spaceport/contract/play-reports';
import { dayOf } from '../activity/days.ts';
import { isUsualError } from '../platform/browser/usual-error.ts';
import type { Platform } from '../platform/context.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';
import { RepeatedFailure } from '../platform/repeated-failure.ts';
import type { PlaySession } from '../players/play-sessions.ts';
import type { Visitor } from '../plays/visits.ts';
import { browserLabel } from './browser-label.ts';
import { fingerprintOf } from './fingerprint.ts';
import { bucketOf, waitBoundsMs, weightBoundsBytes } from './histogram.ts';
import { type Count, Tally, type Told } from './tally.ts';
import { writeTally } from './write-tally.ts';

/** How long reports are gathered after the first one, before they are written together. */
const gatherMs = 2_000;
/** Playing time is limited to the length of the session and this grace: a report may come a little late. */
const graceSeconds = 120;
/**
 * The most loads with an error that count for one network, so that one person cannot make it look like many.
 */
const mostOfNetwork = 2;

export interface Telemetry {
  /** Counts that a load of a space began. */
  opened(session: PlaySession, visitor: Visitor): Promise<void>;
  /**
   * Counts the progress of a load. Returns false if it does not count.
   * @throws `rate_limited`
   */
  played(
    session: PlaySession,
    report: Omit<BodyOf<typeof reportPlay>, 'session'>,
    visitor: Visitor,
  ): Promise<boolean>;
  /**
   * Counts errors in a load. Returns how many are counted.
   * @throws `rate_limited`
   */
  failed(
    session: PlaySession,
    errors: BodyOf<typeof reportErrors>['errors'],
    visitor: Visitor,
  ): Promise<number>;
  /** Writes the gathered reports. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Gathers reports of loads in memory, adds them up, and writes them every two seconds, so that many reports
 * cost about as much as few. A killed process loses what it has not written.
 */
export function createTelemetry({ database, clock, config, log, together }: Platform): Telemetry {
  const limit = new SharedBuckets(together, 'telemetry', config.TELEMETRY_PER_MINUTE);
  /** Counts over all processes, up to `most`. Returns how much of `count` was still below it. */
  const counted = async (what: string, name: string, count: number, most: number) =>
    together.count({ do: 'count', limit: `telemetry: ${what}`, name, count, most });
  const writes = new RepeatedFailure(log, {
    fails: 'telemetry could not be written',
    again: 'telemetry is written again',
  });
  let tally = new Tally();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const networkIn = (session: PlaySession, { address }: Visitor) =>
    `${session.spaceId} ${networkOf(address)}`;

  const add = (session: PlaySession, counts: readonly Pick<Count, 'what' | 'bucket' | 'count'>[]) => {
    const day = dayOf(clock.now());
    for (const count of counts) tally.count({ ...toldOf(session), day, ...count });
    soon();
  };

  function soon(): void {
    timer ??= setTimeout(() => {
      flush().then(
        () => writes.succeeded(),
        (error) => writes.failed(error),
      );
    }, gatherMs).unref();
  }

  /** Writes one tally at a time. A failed write is repeated with the next one. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const write = writing.then(async () => {
      if (tally.isEmpty) return;
      const taken = tally.read();
      tally = new Tally();
      try {
        await database.transaction((tx) => writeTally(tx, taken));
      } catch (error) {
        for (const count of taken.counts) tally.count(count);
        for (const one of taken.errors) tally.add(one);
        throw error;
      }
    });
    writing = write.catch(() => {});
    return write;
  }

  return {
    async opened(session, visitor) {
      if (session.by !== 'player') return;
      if ((await limit.take(`opened ${networkIn(session, visitor)}`)) !== null) return;
      add(session, [{ what: 'sessions', bucket: 0, count: 1 }]);
    },

    async played(session, { part, began, seconds }, visitor) {
      await requireTaken([limit.take(`told ${networkIn(session, visitor)}`)]);
      if (session.by !== 'player') return false;
      // Counting up to the part's number also marks all parts before it as known.
      if ((await counted('parts', session.nonce, part + 1, part + 1)) === 0) return false;
      const lasted = Math.ceil((clock.now() - session.startedAt) / 1_000) + graceSeconds;
      const played = seconds > 0 ? await counted('seconds', session.nonce, seconds, lasted) : 0;
      const counts: Pick<Count, 'what' | 'bucket' | 'count'>[] = [];
      if (played > 0) counts.push({ what: 'seconds', bucket: 0, count: played });
      if (began) counts.push({ what: 'wait', bucket: bucketOf(waitBoundsMs, began.ms), count: 1 });
      if (began?.bytes != null)
        counts.push({ what: 'bytes', bucket: bucketOf(weightBoundsBytes, began.bytes), count: 1 });
      add(session, counts);
      return true;
    },

    async failed(session, told, visitor) {
      await requireTaken([limit.take(`told ${networkIn(session, visitor)}`)]);
      if (session.by === 'robot') return 0;
      const errors = told.filter(({ kind, message }) => kind === 'reported' || !isUsualError(message));
      const at = clock.now();
      const browser = browserLabel(visitor.userAgent);
      /**
       * Returns whether this is the first such error of the load, and one of the first loads of its network
       * with it. Loads of the owner never count.
       */
      const isNewSession = async (fingerprint: string) => {
        if (session.by === 'owner') return false;
        if ((await counted('errors of loads', `${session.nonce} ${fingerprint}`, 1, 1)) === 0) return false;
        const network = `${networkIn(session, visitor)} ${session.version} ${fingerprint}`;
        return (await counted('errors of networks', network, 1, mostOfNetwork)) === 1;
      };
      const areNew = await Promise.all(errors.map((error) => isNewSession(fingerprintOf(error).fingerprint)));
      errors.forEach((error, index) => {
        tally.error(toldOf(session), error, { at, isNewSession: areNew[index] === true, browser });
      });
      if (errors.length > 0) soon();
      return errors.length;
    },

    flush,
    async close() {
      await flush().catch((error) => log.warn({ err: error }, 'telemetry is lost'));
    },
  };
}

function toldOf({ spaceId, env, version }: PlaySession): Told {
  return { spaceId, env, version: version ?? 0 };
}
