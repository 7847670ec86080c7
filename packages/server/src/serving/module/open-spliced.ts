import { Readable } from 'node:stream';
import type { ByteRange } from '../byte-range.ts';

/**
 * Bytes that replace the stored ones from `at` up to, but not including, `end`. If both are the same, they
 * are inserted.
 */
export interface Piece {
  readonly at: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/** Returns by how many bytes the pieces make the stored bytes longer. */
export function grownBy(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { at, end, bytes }) => sum + bytes.length - (end - at), 0);
}

/**
 * Returns the bytes that `openSpliced` reads, whole in memory. Pieces must be in order and must not overlap.
 */
export function spliced(stored: Buffer, pieces: readonly Piece[]): Buffer {
  let from = 0;
  const parts = pieces.flatMap(({ at, end, bytes }) => {
    const before = stored.subarray(from, at);
    from = end;
    return [before, bytes];
  });
  return Buffer.concat([...parts, stored.subarray(from)]);
}

/**
 * Opens stored bytes with pieces inserted. They are read as they are needed.
 * @param last the offset of the last stored byte
 * @throws the errors of `open` for the first part
 */
export async function openSpliced(
  pieces: readonly Piece[],
  last: number,
  open: (part: ByteRange) => Promise<Readable>,
): Promise<Readable> {
  const [first] = pieces;
  const head = first && first.at > 0 ? await open({ start: 0, end: first.at - 1 }) : null;
  async function* parts(): AsyncGenerator<Buffer> {
    let from = first?.at ?? 0;
    if (head) yield* head;
    for (const { at, end, bytes } of pieces) {
      if (at > from) yield* await open({ start: from, end: at - 1 });
      yield bytes;
      from = end;
    }
    if (from <= last) yield* await open({ start: from, end: last });
  }
  const readable = Readable.from(parts(), { objectMode: false });
  // Closes the source even if the stream was never read.
  readable.once('close', () => head?.destroy());
  return readable;
}
