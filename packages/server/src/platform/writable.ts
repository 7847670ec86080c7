import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomLabel } from './secrets/id.ts';

/** The size of the probe. On a disk that takes less than this, the next request would fill it. */
const probe = new Uint8Array(64 * 1024);

/**
 * @throws the file system's error if the folder does not accept a small file: a disk that is full, read-only
 * or gone
 */
export async function requireWritable(folder: string): Promise<void> {
  const path = join(folder, `.probe-${randomLabel(16)}`);
  try {
    await writeFile(path, probe, { flag: 'wx', mode: 0o600 });
  } finally {
    await unlink(path).catch(() => {});
  }
}
