import { BlobGone, BlobMismatch, type BlobStore, BlobTooLong } from '../blobs/blob-store.ts';
import { type Ended, timed } from './timed.ts';

export type StoreCall = 'write' | 'open' | 'read' | 'delete' | 'size' | 'ping';
export type StoreOutcome = 'ok' | 'gone' | 'refused' | 'error';

/** Wraps a store: `tell` is called when a call ends. An `open` ends when bytes can be read. */
export function timedStore(
  store: BlobStore,
  tell: (call: StoreCall, outcome: StoreOutcome, seconds: number) => void,
): BlobStore {
  const told =
    <Words extends unknown[], Answer>(call: StoreCall, run: (...words: Words) => Promise<Answer>) =>
    (...words: Words): Promise<Answer> =>
      timed(
        () => run(...words),
        (seconds, ended) => tell(call, outcomeOf(ended), seconds),
      );
  return {
    write: told('write', (...words: Parameters<BlobStore['write']>) => store.write(...words)),
    open: told('open', (...words: Parameters<BlobStore['open']>) => store.open(...words)),
    read: told('read', (key: string) => store.read(key)),
    delete: told('delete', (key: string) => store.delete(key)),
    size: told('size', (key: string) => store.size(key)),
    ping: told('ping', () => store.ping()),
    sweep: () => store.sweep(),
    list: () => store.list(),
    owner: () => store.owner(),
    claim: (owner) => store.claim(owner),
    close: () => store.close(),
  };
}

function outcomeOf(ended: Ended): StoreOutcome {
  if (ended.isOk) return 'ok';
  const { error } = ended;
  if (error instanceof BlobGone) return 'gone';
  return error instanceof BlobMismatch || error instanceof BlobTooLong ? 'refused' : 'error';
}
