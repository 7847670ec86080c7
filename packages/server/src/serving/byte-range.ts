/** Inclusive offsets, as HTTP's and the blob store's. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const singleRange = /^bytes=[ \t]*(?:([0-9]+)-([0-9]*)|-([0-9]+))[ \t]*$/iu;

/**
 * The part of `size` bytes that a Range header asks for (RFC 9110 §14). `whole` if the header is no single byte
 * range (several ranges, another unit, bad syntax): such a header is ignored. `unsatisfiable` is a 416.
 */
export function parseRange(header: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = singleRange.exec(header.trim());
  if (!match) return 'whole';
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}
