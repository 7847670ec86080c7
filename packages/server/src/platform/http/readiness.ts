import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '../context.ts';
import { DatabaseLost } from '../db/lost-tables.ts';
import { lastKnownMs } from '../kept-lookups.ts';
import { reasonOf } from '../reason-of.ts';

/** A balancer waits for about two seconds, and takes no answer for a failure. */
const storeWithinMs = 1_200;

export interface Readiness {
  /**
   * `degraded`: without the store, a node has its pages, boards, saves and accounts, and what it remembers of
   * spaces. All nodes have the same store, so if each called itself unavailable, a balancer would end all of that.
   */
  readonly status: 'ok' | 'degraded' | 'closing' | 'starting' | 'unavailable';
  /** `lost`: the database answers, and what the service had in it is gone. */
  readonly database: 'ok' | 'unavailable' | 'lost';
  readonly store: 'ok' | 'unavailable';
}

export interface Readinesses {
  /** Returns whether the node is ready for everything. */
  readonly all: () => Promise<Readiness>;
  /**
   * Returns whether it is ready for the hosts of spaces. There a node without its database is `degraded` for as long
   * as it serves what it last knew.
   */
  readonly content: () => Promise<Readiness>;
}

type Looked = Pick<Platform, 'database' | 'store' | 'together' | 'closing' | 'log'>;

/**
 * Returns functions that look at what the node depends on, and log what is wrong when that changes. A node that
 * never reached its store is unavailable: its settings may be wrong, and an upgrade must not go on to the next node.
 */
export function createReadiness({ database, store, together, closing, log }: Looked): Readinesses {
  let hadStore = false;
  /** When the database was first found away, by `performance.now()`; null while it is there. */
  let awaySince: number | null = null;
  let told = '';
  let since = 0;
  const askStore = async () => {
    const waiting = new AbortController();
    try {
      const late = pause(storeWithinMs, undefined, { signal: waiting.signal });
      await Promise.race([
        store.ping(),
        late.then(() => Promise.reject(new Error(`no answer within ${storeWithinMs} ms`))),
      ]);
      hadStore = true;
    } finally {
      waiting.abort();
    }
  };
  // A store that goes away before anybody has looked was there.
  askStore().catch(() => {});

  const all = async (): Promise<Readiness> => {
    const stage = await together.stage();
    const [ofDatabase, ofStore] = await Promise.allSettled([database.ping(), askStore()]);
    const problems = [
      ...(ofDatabase.status === 'rejected' ? [`database: ${reasonOf(ofDatabase.reason)}`] : []),
      ...(ofStore.status === 'rejected' ? [`store: ${reasonOf(ofStore.reason)}`] : []),
    ];
    const state = {
      database: stateOf(ofDatabase),
      store: ofStore.status === 'fulfilled' ? 'ok' : 'unavailable',
    } as const;
    if (state.database === 'ok') awaySince = null;
    else awaySince ??= performance.now();
    const backing = backingOf(state);
    tell(backing, problems.join('; '));
    const isClosing = closing.aborted || stage === 'ending';
    return { status: isClosing ? 'closing' : stage === 'starting' ? 'starting' : backing, ...state };
  };

  const content = async (): Promise<Readiness> => {
    const state = await all();
    const isAway = state.status === 'unavailable' && state.database === 'unavailable';
    const isKnown = hadStore && awaySince !== null && performance.now() - awaySince < lastKnownMs;
    return isAway && isKnown ? { ...state, status: 'degraded' } : state;
  };
  return { all, content };

  function backingOf({ database, store }: Pick<Readiness, 'database' | 'store'>) {
    if (database !== 'ok') return 'unavailable';
    if (store === 'ok') return 'ok';
    return hadStore ? 'degraded' : 'unavailable';
  }

  function tell(backing: 'ok' | 'degraded' | 'unavailable', reason: string): void {
    if (reason === told) return;
    if (told === '') since = performance.now();
    told = reason;
    const seconds = Math.round((performance.now() - since) / 1_000);
    if (backing === 'ok') log.info({ seconds }, 'ready again');
    else log.warn({ reason }, backing === 'degraded' ? 'ready without the store' : 'not ready');
  }
}

function stateOf(ping: PromiseSettledResult<void>): Readiness['database'] {
  if (ping.status === 'fulfilled') return 'ok';
  return ping.reason instanceof DatabaseLost ? 'lost' : 'unavailable';
}
