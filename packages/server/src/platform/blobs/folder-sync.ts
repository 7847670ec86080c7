import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Waiting {
  promise: Promise<void>;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * fsync of folders, shared: calls that come while a round of them runs are served by the next round, so many
 * writes that end together cost one fsync per folder, and on a journaling file system mostly one commit for all.
 */
export class FolderSync {
  #waiting = new Map<string, Waiting>();
  #running = false;

  /** Resolves after an fsync of `folder` that began after this call; rejects with the file system's error. */
  sync(folder: string): Promise<void> {
    let waiting = this.#waiting.get(folder);
    if (!waiting) {
      waiting = Promise.withResolvers<void>();
      this.#waiting.set(folder, waiting);
    }
    if (!this.#running) void this.#rounds();
    return waiting.promise;
  }

  async #rounds(): Promise<void> {
    this.#running = true;
    while (this.#waiting.size > 0) {
      const round = this.#waiting;
      this.#waiting = new Map();
      await Promise.all(
        [...round].map(([folder, { resolve, reject }]) => fsync(folder).then(resolve, reject)),
      );
    }
    this.#running = false;
  }
}

async function fsync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes `folder`, and those above it that lack, such that a power cut after this leaves every one of their names. */
export async function makeDurably(folder: string, syncs: FolderSync): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true });
  const top = firstMade === undefined ? folder : firstMade;
  let named = folder;
  // At least the folder's own parent: a name made just before a crash may not be durable yet.
  do {
    const parent = dirname(named);
    await syncs.sync(parent);
    if (named === top) return;
    named = parent;
  } while (named !== dirname(named));
}
