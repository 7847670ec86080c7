import { Readable } from 'node:stream';
import type { ByteRange } from '../byte-range.ts';

/**
 * Stored bytes, read as they are asked for, with others put in between.
 * @param last the last stored byte's place
 * @throws what `open` does for the first part
 */
export async function openSpliced(
  { at, bytes }: { readonly at: number; readonly bytes: Buffer },
  last: number,
  open: (part: ByteRange) => Promise<Readable>,
): Promise<Readable> {
  const first = at > 0 ? await open({ start: 0, end: at - 1 }) : null;
  async function* parts(): AsyncGenerator<Buffer> {
    if (first) yield* first;
    yield bytes;
    if (at <= last) yield* await open({ start: at, end: last });
  }
  const spliced = Readable.from(parts(), { objectMode: false });
  // Closes the source even if nobody has begun to read.
  spliced.once('close', () => first?.destroy());
  return spliced;
}
