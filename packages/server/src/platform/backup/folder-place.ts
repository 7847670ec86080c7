import { open, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { BackupError, readManifest } from './layout.ts';
import type { BackupPlace } from './place.ts';
import { ScratchFolder } from './scratch-folder.ts';

const ours = /^(?:manifest\.json(?:\.new)?|blobs|tmp|tables-[a-z0-9]+)$/u;

/** Backups in a folder that only its owner can read. */
export class FolderPlace implements BackupPlace {
  readonly name: string;
  readonly #scratch: ScratchFolder;

  constructor(folder: string) {
    this.name = resolve(folder);
    this.#scratch = new ScratchFolder(join(this.name, 'tmp'), this.name);
  }

  get scratch(): string {
    return this.#scratch.path;
  }

  async prepare(): Promise<void> {
    await makeFolder(this.name, 0o700);
    const names = await readdir(this.name);
    const foreign = names.find((name) => !ours.test(name));
    if (foreign !== undefined)
      throw new BackupError(`${this.name} holds other things than a backup: ${foreign}.`);
    if (names.includes('manifest.json')) await readManifest(this);
    await this.#scratch.make();
  }

  async *list(prefix: string): AsyncIterable<{ path: string; size: number }> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    const entries = await readdir(join(this.name, folder), { withFileTypes: true }).catch(absent);
    for (const entry of entries ?? []) {
      const path = folder + entry.name;
      if (!path.startsWith(prefix)) continue;
      if (entry.isDirectory()) yield* this.list(`${path}/`);
      else yield { path, size: (await stat(join(this.name, path))).size };
    }
  }

  async open(path: string): Promise<AsyncIterable<Buffer> | null> {
    const file = await open(join(this.name, path)).catch(absent);
    return file && (file.createReadStream() as AsyncIterable<Buffer>);
  }

  async put(path: string, file: string): Promise<void> {
    const target = join(this.name, path);
    await makeFolder(dirname(target), 0o700);
    await rename(file, target);
  }

  async write(path: string, text: string): Promise<void> {
    const target = join(this.name, path);
    await makeFolder(dirname(target), 0o700);
    const file = await open(`${target}.new`, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(`${target}.new`, target);
  }

  async delete(path: string): Promise<void> {
    const target = join(this.name, path);
    await unlink(target).catch(absent);
    // A folder is deleted with its last file.
    await rmdir(dirname(target)).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#scratch.remove();
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
