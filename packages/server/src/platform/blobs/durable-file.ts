import { constants, type FileHandle, open, writeFile } from 'node:fs/promises';
import { release } from './release.ts';

const partBytes = 256 * 1024;
const { O_CREAT, O_EXCL, O_WRONLY } = constants;

/**
 * Flags that make a written file durable. On Linux, O_DSYNC makes each write include an fdatasync. Node then
 * opens, writes and closes in one call of its thread pool instead of four, which halves the cost of a small
 * upload.
 */
const durable =
  process.platform === 'linux'
    ? { flag: O_WRONLY | O_CREAT | O_EXCL | constants.O_DSYNC }
    : { flag: 'wx', flush: true };

/**
 * Writes these bytes to a new file. Once this resolves, they survive a power cut; the file's name may not
 * yet. It takes over the chunks, and releases their memory once they are written.
 */
export async function writeDurably(path: string, chunks: readonly Uint8Array[]): Promise<void> {
  const [first] = chunks;
  const whole = first && chunks.length === 1 ? first : Buffer.concat(chunks);
  if (whole !== first) release(chunks);
  await writeFile(path, whole, durable);
  release([whole]);
}

/**
 * Like `writeDurably`, for more bytes than should be held in memory: they are written as they come.
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

/**
 * Writes the chunks without joining them: that would take as much memory again, and collecting it more time
 * than the write.
 */
async function append(file: FileHandle, chunks: readonly Uint8Array[], bytes: number): Promise<void> {
  if (bytes === 0) return;
  const { bytesWritten } = await file.writev(chunks);
  // writev does not fail on a short write. The rest is written by a call that goes on, or fails with the
  // reason.
  if (bytesWritten < bytes) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten));
}
