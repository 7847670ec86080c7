import type { PublishSource } from '@spaceport/client/source';
import type { LocalFile } from './collect.ts';
import type { OpenFolder } from './open-folder.ts';
import type { Selection } from './selection.ts';

export interface HashState {
  readonly files: number;
  readonly bytes: number;
  readonly isDone: boolean;
  /** Set when a file could not be read. */
  readonly error: unknown;
}

/** The state of hashing a folder. */
export interface Hashing {
  /** @throws ReadError */
  readonly source: Promise<PublishSource>;
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => HashState;
  readonly totalFiles: number;
  readonly totalBytes: number;
}

export function hashing(folder: OpenFolder, selection: Selection<LocalFile>): Hashing {
  const listeners = new Set<() => void>();
  let state: HashState = { files: 0, bytes: 0, isDone: false, error: null };
  const change = (to: Partial<HashState>) => {
    state = { ...state, ...to };
    for (const listener of listeners) listener();
  };
  const source = folder.source(selection, (done) => change(done));
  source.then(
    () => change({ isDone: true }),
    (error: unknown) => change({ error }),
  );
  return {
    source,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    totalFiles: selection.files.length,
    totalBytes: selection.bytes,
  };
}
