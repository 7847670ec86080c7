/** Inclusive offsets, as in HTTP and in the blob store. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const singleRange = /^bytes=[ \t]*(?:([0-9]+)-([0-9]*)|-([0-9]+))[ \t]*$/iu;

/**
 * Returns the part of `size` bytes that a Range header asks for (RFC 9110 §14). `whole` means that the header
 * is ignored, because it is not a single byte range (several ranges, another unit, bad syntax).
 * `unsatisfiable` means 416.
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
