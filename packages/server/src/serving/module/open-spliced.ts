import { Readable } from 'node:stream';
import type { ByteRange } from '../byte-range.ts';

/** Bytes that stand in the place of the stored ones from `at` to before `end`; of none where both are the same. */
export interface Piece {
  readonly at: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/** By how much pieces make what is stored longer. */
export function grownBy(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { at, end, bytes }) => sum + bytes.length - (end - at), 0);
}

/** Whole in memory: what `openSpliced` reads. Pieces are in their order, and none lies over another. */
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
 * Stored bytes, read as they are asked for, with pieces put in between.
 * @param last the last stored byte's place
 * @throws what `open` does for the first part
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
  // Closes the source even if nobody has begun to read.
  readable.once('close', () => head?.destroy());
  return readable;
}
