import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomLabel } from './secrets/id.ts';

/** What is left of a disk that takes less is used up by the next request. */
const probe = new Uint8Array(64 * 1024);

/** @throws the file system's error where the folder does not take a small file: a disk full, read-only or gone */
export async function requireWritable(folder: string): Promise<void> {
  const path = join(folder, `.probe-${randomLabel(16)}`);
  try {
    await writeFile(path, probe, { flag: 'wx', mode: 0o600 });
  } finally {
    await unlink(path).catch(() => {});
  }
}
