import { BlobGone, BlobMismatch, type BlobStore, BlobTooLong } from '../blobs/blob-store.ts';

export type StoreCall = 'write' | 'open' | 'read' | 'delete' | 'size' | 'ping';
export type StoreOutcome = 'ok' | 'gone' | 'refused' | 'error';

/** The same store; each call that somebody waits for is told of when it ends. Of an `open` that is when bytes can be read. */
export function timedStore(
  store: BlobStore,
  tell: (call: StoreCall, outcome: StoreOutcome, seconds: number) => void,
): BlobStore {
  const timed =
    <Words extends unknown[], Answer>(call: StoreCall, run: (...words: Words) => Promise<Answer>) =>
    async (...words: Words): Promise<Answer> => {
      const begun = performance.now();
      let outcome: StoreOutcome = 'ok';
      try {
        return await run(...words);
      } catch (error) {
        outcome = outcomeOf(error);
        throw error;
      } finally {
        tell(call, outcome, (performance.now() - begun) / 1_000);
      }
    };
  return {
    write: timed('write', (...words: Parameters<BlobStore['write']>) => store.write(...words)),
    open: timed('open', (...words: Parameters<BlobStore['open']>) => store.open(...words)),
    read: timed('read', (key: string) => store.read(key)),
    delete: timed('delete', (key: string) => store.delete(key)),
    size: timed('size', (key: string) => store.size(key)),
    ping: timed('ping', () => store.ping()),
    sweep: () => store.sweep(),
    list: () => store.list(),
    close: () => store.close(),
  };
}

function outcomeOf(error: unknown): StoreOutcome {
  if (error instanceof BlobGone) return 'gone';
  return error instanceof BlobMismatch || error instanceof BlobTooLong ? 'refused' : 'error';
}
