import type { ServiceLog } from '../log.ts';
import { type BlobStore, StoreUnavailable } from './blob-store.ts';
import { WrongStore, wrongStoreAdvice } from './claim-store.ts';

/**
 * Claims the store. A service can start before its store: if that is away, returns a store that is unavailable until
 * it has answered, and belongs to this database. Otherwise files could be written into a store of another one, and
 * every file that is not there would count as lost.
 * @throws `WrongStore`
 */
export async function claimedStore(
  store: BlobStore,
  claim: () => Promise<void>,
  log: Pick<ServiceLog, 'info' | 'warn' | 'error'>,
): Promise<BlobStore> {
  try {
    await claim();
    return store;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    log.warn({ err: error }, 'the store is away: not asked whose files it has');
    return lateStore(store, claim, log);
  }
}

/** Returns a store that is claimed at its first use that it answers. */
function lateStore(
  store: BlobStore,
  claim: () => Promise<void>,
  log: Pick<ServiceLog, 'info' | 'error'>,
): BlobStore {
  let isClaimed = false;
  let isTold = false;
  let asking: Promise<void> | null = null;
  async function ask(): Promise<void> {
    try {
      await claim();
      isClaimed = true;
      log.info('the store has answered, and has the files of this database');
    } catch (error) {
      if (!(error instanceof WrongStore)) throw error;
      const { message } = error;
      if (!isTold) log.error({ err: error }, `${message}. ${wrongStoreAdvice}`);
      isTold = true;
      throw new StoreUnavailable(message, { cause: error });
    }
  }
  async function claimed(): Promise<void> {
    if (isClaimed) return;
    asking ??= ask().finally(() => {
      asking = null;
    });
    await asking;
  }
  const first =
    <Words extends unknown[], Answer>(run: (...words: Words) => Promise<Answer>) =>
    async (...words: Words): Promise<Answer> => {
      await claimed();
      return run(...words);
    };
  return {
    write: first((...words: Parameters<BlobStore['write']>) => store.write(...words)),
    open: first((...words: Parameters<BlobStore['open']>) => store.open(...words)),
    read: first((key: string) => store.read(key)),
    delete: first((key: string) => store.delete(key)),
    size: first((key: string) => store.size(key)),
    ping: first(() => store.ping()),
    sweep: first(() => store.sweep()),
    async *list() {
      await claimed();
      yield* store.list();
    },
    owner: () => store.owner(),
    claim: (owner) => store.claim(owner),
    close: () => store.close(),
  };
}
