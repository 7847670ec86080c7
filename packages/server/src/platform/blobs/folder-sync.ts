import { close, fsync, open } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../make-folder.ts';

// These use plain descriptors: the object of node:fs/promises costs as much again as the call.
const openFile = promisify(open);
const syncFile = promisify(fsync);
const closeFile = promisify(close);

/**
 * A folder stays open for this long after its last fsync: other files of the same publish follow within
 * milliseconds.
 */
const keepOpenMs = 500;

/** The umask decides, as for folders that nobody gives a mode. */
const usualMode = 0o777;

interface OpenFolder {
  readonly descriptor: Promise<number>;
  closing?: NodeJS.Timeout;
}

/**
 * Shared fsync of folders. Calls that come while a folder is being synced share one more fsync after it, so
 * that many writes into one folder that end together cost two. Different folders are synced at the same time:
 * a journaling file system makes one commit of them.
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

  /** Closes the folders. Call it when nothing is being synced any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((folder) => this.#close(folder)));
  }

  #begin(folder: string): Promise<void> {
    const running = this.#sync(folder).finally(() => this.#running.delete(folder));
    this.#running.set(folder, running);
    return running;
  }

  /** Syncs a folder. Only one call at a time for each folder. */
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
    // If it could not be opened or closed, nothing is lost.
    await opened.descriptor.then(closeFile).catch(() => {});
  }
}

/**
 * Makes `folder` and its missing parents, so that all of their names survive a power cut once this resolves.
 */
export async function makeDurably(folder: string, syncs: FolderSync): Promise<void> {
  const firstMade = await makeFolder(folder, usualMode);
  const top = firstMade === undefined ? folder : firstMade;
  let named = folder;
  // Syncs at least the folder's own parent: a name made just before a crash may not be durable yet.
  do {
    const parent = dirname(named);
    await syncs.sync(parent);
    if (named === top) return;
    named = parent;
  } while (named !== dirname(named));
}
