import { close, fsync, open } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

// With plain descriptors: an object of node:fs/promises costs as much again as the call.
const openFile = promisify(open);
const syncFile = promisify(fsync);
const closeFile = promisify(close);

/** A folder stays open for this long after its last fsync: files of a publish come to it again within milliseconds. */
const keepOpenMs = 500;

interface OpenFolder {
  readonly descriptor: Promise<number>;
  closing?: NodeJS.Timeout;
}

/**
 * fsync of folders, shared: calls that come while a folder is being synced are served by one more fsync after it, so
 * many writes into one folder that end together cost two. Those of different folders run side by side: a journaling
 * file system makes one commit of what comes at once.
 */
export class FolderSync {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();
  readonly #open = new Map<string, OpenFolder>();

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

  /** Once nothing is being synced any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((folder) => this.#close(folder)));
  }

  #begin(folder: string): Promise<void> {
    const running = this.#sync(folder).finally(() => this.#running.delete(folder));
    this.#running.set(folder, running);
    return running;
  }

  /** One at a time for each folder. */
  async #sync(folder: string): Promise<void> {
    const opened = this.#open.get(folder) ?? { descriptor: openFile(folder, 'r') };
    this.#open.set(folder, opened);
    clearTimeout(opened.closing);
    try {
      await syncFile(await opened.descriptor);
    } catch (error) {
      await this.#close(folder);
      throw error;
    }
    opened.closing = setTimeout(() => void this.#close(folder), keepOpenMs).unref();
  }

  async #close(folder: string): Promise<void> {
    const opened = this.#open.get(folder);
    if (!opened) return;
    this.#open.delete(folder);
    clearTimeout(opened.closing);
    // One that could not be opened, or closed, is nothing that could be lost.
    await opened.descriptor.then(closeFile).catch(() => {});
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
