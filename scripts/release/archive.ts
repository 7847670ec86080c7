import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/** A date that never changes, and that zip tools take. */
const mtime = new Date('1985-10-26T08:15:00Z');

/**
 * Writes files into a .tgz, below a folder of its own. The same files give the same bytes.
 * @param files from `root`, in the order in which they are packed
 */
export async function writeArchive(
  root: string,
  files: readonly string[],
  { folder, to }: { folder: string; to: string },
): Promise<void> {
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(to));
  for (const file of files) {
    const path = join(root, file);
    // Who may write it is the matter of whoever unpacks it.
    const mode = ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755;
    tar.entry({ name: `${folder}/${file}`, mode, mtime }, await readFile(path));
  }
  tar.finalize();
  await written;
}
