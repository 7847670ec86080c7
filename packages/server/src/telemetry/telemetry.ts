import type { BodyOf } from '@spaceport/contract/operation';
import type { reportErrors, reportPlay } from '@spaceport/contract/play-reports';
import { dayOf } from '../activity/days.ts';
import type { Platform } from '../platform/context.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { newestOf } from '../platform/limits/newest-of.ts';
import { requireTaken, TokenBuckets } from '../platform/limits/token-buckets.ts';
import type { PlaySession } from '../players/play-sessions.ts';
import type { Visitor } from '../plays/visits.ts';
import { browserLabel } from './browser-label.ts';
import { bucketOf, waitBoundsMs, weightBoundsBytes } from './histogram.ts';
import { type Count, Tally, type Told } from './tally.ts';
import { writeTally } from './write-tally.ts';

/** What is told is written so long after the first of it, together with all that came since. */
const gatherMs = 2_000;
/** Loads whose reports are known, and errors that were counted for a load: about 10 MB each. */
const remembered = 50_000;
/** Longer than a session lasts nobody can say that it was played: a report may come a little late. */
const graceSeconds = 120;
/** Of one network no more loads with an error count as loads with it: so one person cannot make it look like many. */
const mostOfNetwork = 2;

export interface Telemetry {
  /** A load of a space began. */
  opened(session: PlaySession, visitor: Visitor): void;
  /**
   * How a load went on; false where that does not count.
   * @throws `rate_limited`
   */
  played(session: PlaySession, report: Omit<BodyOf<typeof reportPlay>, 'session'>, visitor: Visitor): boolean;
  /**
   * Errors in a load. Returns how many are counted.
   * @throws `rate_limited`
   */
  failed(session: PlaySession, errors: BodyOf<typeof reportErrors>['errors'], visitor: Visitor): number;
  /** Writes what was told and is not written yet. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Gathers in memory what pages tell of loads of spaces, adds it up, and writes it every two seconds: a flood costs as
 * much as a few. A process that is killed loses what it had not written.
 */
export function createTelemetry({ database, clock, config, log }: Platform): Telemetry {
  const limit = new TokenBuckets(config.TELEMETRY_PER_MINUTE, clock);
  const loads = newestOf<{ parts: number; seconds: number }>(remembered);
  const seen = newestOf<number>(remembered);
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
      void flush().catch((error) => log.warn({ err: error }, 'telemetry could not be written'));
    }, gatherMs).unref();
  }

  /** One write at a time; what could not be written waits for the next. */
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
    opened(session, visitor) {
      if (session.by !== 'player') return;
      if (limit.take(`opened ${networkIn(session, visitor)}`) !== null) return;
      add(session, [{ what: 'sessions', bucket: 0, count: 1 }]);
    },

    played(session, { part, began, seconds }, visitor) {
      requireTaken([limit.take(`told ${networkIn(session, visitor)}`)]);
      if (session.by !== 'player') return false;
      const known = loads.get(session.nonce) ?? { parts: -1, seconds: 0 };
      if (part <= known.parts) return false;
      const lasted = Math.ceil((clock.now() - session.startedAt) / 1_000) + graceSeconds;
      const counted = Math.max(0, Math.min(seconds, lasted - known.seconds));
      loads.set(session.nonce, { parts: part, seconds: known.seconds + counted });
      const counts: Pick<Count, 'what' | 'bucket' | 'count'>[] = [];
      if (counted > 0) counts.push({ what: 'seconds', bucket: 0, count: counted });
      if (began) counts.push({ what: 'wait', bucket: bucketOf(waitBoundsMs, began.ms), count: 1 });
      if (began?.bytes != null)
        counts.push({ what: 'bytes', bucket: bucketOf(weightBoundsBytes, began.bytes), count: 1 });
      add(session, counts);
      return true;
    },

    failed(session, errors, visitor) {
      requireTaken([limit.take(`told ${networkIn(session, visitor)}`)]);
      if (session.by === 'robot') return 0;
      const at = clock.now();
      const browser = browserLabel(visitor.userAgent);
      /** The first time in this load, and one of the first loads of its network: the owner's never. */
      const isNewSession = (fingerprint: string) => {
        const load = `${session.nonce} ${fingerprint}`;
        if (session.by === 'owner' || seen.has(load)) return false;
        seen.set(load, 1);
        const network = `${networkIn(session, visitor)} ${session.version} ${fingerprint}`;
        const count = seen.get(network) ?? 0;
        seen.set(network, count + 1);
        return count < mostOfNetwork;
      };
      for (const error of errors) tally.error(toldOf(session), error, { at, isNewSession, browser });
      soon();
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
