import type { RuntimeError } from '@spaceport/contract/play-reports';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import { type Fingerprint, fingerprintOf } from './fingerprint.ts';

/** The subject of a report: a version of a space. Version 0 is a page that runs elsewhere. */
export interface Told {
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly version: number;
}

/**
 * What is counted for loads. `wait` and `bytes` are counted by the ranges of histogram.ts, only for
 * loads in which play began.
 */
export type CountedThing = 'sessions' | 'seconds' | 'wait' | 'bytes';

export interface Count extends Told {
  /** In UTC: `2026-11-21`. */
  readonly day: string;
  readonly what: CountedThing;
  /** The range of `wait` and `bytes`; else 0. */
  readonly bucket: number;
  count: number;
}

export interface TalliedError extends Told, Fingerprint {
  readonly kind: RuntimeError['kind'];
  readonly message: string;
  readonly stack: string | null;
  readonly firstAt: number;
  lastAt: number;
  count: number;
  sessions: number;
  readonly browsers: Map<string, number>;
}

/** Limits the memory to about 5 MB while the database is not available. Further reports are dropped. */
const mostCounts = 10_000;
const mostErrors = 500;

/** Reports that are not written yet, added up. */
export class Tally {
  readonly #counts = new Map<string, Count>();
  readonly #errors = new Map<string, TalliedError>();

  get isEmpty(): boolean {
    return this.#counts.size === 0 && this.#errors.size === 0;
  }

  count({ spaceId, env, version, day, what, bucket, count }: Readonly<Count>): void {
    const key = `${spaceId} ${env} ${version} ${day} ${what} ${bucket}`;
    const known = this.#counts.get(key);
    if (known) known.count += count;
    else if (this.#counts.size < mostCounts)
      this.#counts.set(key, { spaceId, env, version, day, what, bucket, count });
  }

  error(
    told: Told,
    error: RuntimeError,
    { at, isNewSession, browser }: { at: number; isNewSession: boolean; browser: string },
  ): void {
    const { fingerprint, place } = fingerprintOf(error);
    const { kind, message, stack = null, count } = error;
    const sessions = isNewSession ? 1 : 0;
    const browsers = new Map([[browser, count]]);
    this.add({
      spaceId: told.spaceId,
      env: told.env,
      version: told.version,
      fingerprint,
      place,
      kind,
      message,
      stack,
      firstAt: at,
      lastAt: at,
      count,
      sessions,
      browsers,
    });
  }

  add(error: TalliedError): void {
    const key = `${error.spaceId} ${error.env} ${error.version} ${error.fingerprint}`;
    const known = this.#errors.get(key);
    if (!known) {
      if (this.#errors.size < mostErrors) this.#errors.set(key, error);
      return;
    }
    known.count += error.count;
    known.sessions += error.sessions;
    known.lastAt = Math.max(known.lastAt, error.lastAt);
    for (const [browser, count] of error.browsers)
      known.browsers.set(browser, (known.browsers.get(browser) ?? 0) + count);
  }

  /** Returns everything in it, in the same order on all nodes. */
  read(): { counts: Count[]; errors: TalliedError[] } {
    const inOrder = <Value>(map: Map<string, Value>) =>
      [...map].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);
    return { counts: inOrder(this.#counts), errors: inOrder(this.#errors) };
  }
}
