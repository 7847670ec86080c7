import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * fsync of folders, shared: calls that come while a folder is being synced are served by one more fsync after it, so
 * many writes into one folder that end together cost two. Those of different folders run side by side: a journaling
 * file system makes one commit of what comes at once.
 */
export class FolderSync {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  /** Resolves after an fsync of `folder` that began after this call; rejects with the file system's error. */
  sync(folder: string): Promise<void> {
    const running = this.#running.get(folder);
    if (!running) return this.#begin(folder);
    let next = this.#next.get(folder);
    if (!next) {
      const begin = () => {
        this.#next.delete(folder);
        return this.#begin(folder);
      };
      next = running.then(begin, begin);
      this.#next.set(folder, next);
    }
    return next;
  }

  #begin(folder: string): Promise<void> {
    const running = fsync(folder).finally(() => this.#running.delete(folder));
    this.#running.set(folder, running);
    return running;
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
