import { constants, type FileHandle, open, writeFile } from 'node:fs/promises';
import { release } from './release.ts';

const partBytes = 256 * 1024;
const { O_CREAT, O_EXCL, O_WRONLY } = constants;

/**
 * How a file is made that is durable once it is written. On Linux O_DSYNC has each write do what fdatasync does after
 * it, and Node then opens, writes and closes in one call of its thread pool in place of four: half of what a small
 * upload costs.
 */
const durable =
  process.platform === 'linux'
    ? { flag: O_WRONLY | O_CREAT | O_EXCL | constants.O_DSYNC }
    : { flag: 'wx', flush: true };

/**
 * Makes a file of these bytes; they survive a power cut once this resolves, the file's name does not yet. The chunks
 * are given away: they are released once they are written.
 */
export async function writeDurably(path: string, chunks: readonly Uint8Array[]): Promise<void> {
  const [first] = chunks;
  const whole = first && chunks.length === 1 ? first : Buffer.concat(chunks);
  if (whole !== first) release(chunks);
  await writeFile(path, whole, durable);
  release([whole]);
}

/**
 * The same for more bytes than should be held in memory: they are written as they come.
 * @param onDisk runs each call to the file system, to tell its errors from those of `source`
 */
export async function writePartsDurably(
  path: string,
  source: AsyncIterable<Uint8Array>,
  onDisk: <T>(call: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const file = await onDisk(() => open(path, 'wx'));
  try {
    let part: Uint8Array[] = [];
    let gathered = 0;
    for await (const chunk of source) {
      part.push(chunk);
      gathered += chunk.byteLength;
      if (gathered < partBytes) continue;
      await onDisk(() => append(file, part, gathered));
      release(part);
      part = [];
      gathered = 0;
    }
    await onDisk(() => append(file, part, gathered));
    release(part);
    await onDisk(() => file.datasync());
  } finally {
    await file.close().catch(() => {});
  }
}

/** From where they lie: to join them first would cost as much memory again, and its collection more than the write. */
async function append(file: FileHandle, chunks: readonly Uint8Array[], bytes: number): Promise<void> {
  if (bytes === 0) return;
  const { bytesWritten } = await file.writev(chunks);
  // A short write is no error to writev; what is left is written by a call that goes on, or says why not.
  if (bytesWritten < bytes) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten));
}
