import { mkdir, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { randomLabel } from '../secrets/id.ts';
import { BackupError } from './layout.ts';

const beatMs = 30_000;
/** After this time without a sign of life the maker is gone. */
const goneMs = 5 * 60_000;

/**
 * A folder in which one backup makes its files, and which keeps others from beginning meanwhile. Its name says
 * which process made it, and its time shows that the process is alive.
 */
export class ScratchFolder {
  readonly #parent: string;
  readonly #place: string;
  #made: { readonly path: string; readonly beat: NodeJS.Timeout } | null = null;

  /**
   * @param parent the folder that it will be made in
   * @param place the name of the backup's place for people
   */
  constructor(parent: string, place: string) {
    this.#parent = parent;
    this.#place = place;
  }

  /** @throws an error before it was made */
  get path(): string {
    if (this.#made === null) throw new Error('The place was not prepared.');
    return this.#made.path;
  }

  /**
   * Makes the folder, and deletes what crashed backups have left beside it.
   * @throws `BackupError` if another backup is being taken there
   */
  async make(): Promise<void> {
    await makeFolder(this.#parent, 0o700);
    await dropRemains(this.#parent, this.#place);
    const own = `${hostname()}.${process.pid}.${randomLabel(12)}`;
    const path = join(this.#parent, own);
    await mkdir(path, { mode: 0o700 });
    const beat = setInterval(() => {
      const now = new Date();
      void utimes(path, now, now).catch(() => {});
    }, beatMs).unref();
    this.#made = { path, beat };
    try {
      // Of two that began at the same moment, each sees the other here.
      await dropRemains(this.#parent, this.#place, own);
    } catch (error) {
      await this.remove();
      throw error;
    }
  }

  /** Removes the folder if it was made. */
  async remove(): Promise<void> {
    if (this.#made === null) return;
    clearInterval(this.#made.beat);
    await rm(this.#made.path, { recursive: true, force: true });
    // The folder around it is deleted with the last one.
    await rmdir(this.#parent).catch(() => {});
  }
}

async function dropRemains(parent: string, place: string, own?: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name === own) continue;
    if (await isInUse(parent, name))
      throw new BackupError(`Another backup is being taken into ${place} now.`);
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function isInUse(parent: string, name: string): Promise<boolean> {
  const [, host, pid] = /^(.+)\.(\d+)\.[a-z0-9]+$/u.exec(name) ?? [];
  if (host === undefined || (host === hostname() && !isAlive(Number(pid)))) return false;
  const found = await stat(join(parent, name)).catch(() => null);
  // File systems stamp with real time.
  return found !== null && Date.now() - found.mtimeMs < goneMs;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user is alive, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
