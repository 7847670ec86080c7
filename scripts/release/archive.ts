import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/** A constant date, late enough for zip tools. */
const mtime = new Date('1985-10-26T08:15:00Z');

/**
 * Writes files into a .tgz, inside one folder. The same files give the same bytes.
 * @param files paths from `root`, in the order of packing
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
    // Only the execute permission is kept. Other permissions are left to whoever unpacks the archive.
    const mode = ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755;
    tar.entry({ name: `${folder}/${file}`, mode, mtime }, await readFile(path));
  }
  tar.finalize();
  await written;
}
