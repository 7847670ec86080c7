const headBytes = 65_536;
const tailBytes = 512;
/** Longer than any match: what a search keeps of one chunk for the next. */
const overlap = 512;
const maxMatches = 50;

/** One layer of a file, as its bytes go by: stored, or unpacked. */
export class ByteWatch {
  size = 0;
  private readonly head = Buffer.alloc(headBytes);
  private tail = Buffer.alloc(0);
  private carry = '';
  private readonly patterns: readonly RegExp[];
  private readonly found = new Map<RegExp, Set<string>>();

  /** @param patterns global, matching one byte a character (Latin-1), never more than 512. */
  constructor(patterns: readonly RegExp[]) {
    this.patterns = patterns;
  }

  take(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.size < headBytes) bytes.copy(this.head, this.size, 0, headBytes - this.size);
    this.size += bytes.length;
    const last = bytes.subarray(-tailBytes);
    this.tail =
      last.length === tailBytes ? Buffer.from(last) : Buffer.concat([this.tail, last]).subarray(-tailBytes);
    if (this.patterns.length > 0) this.search(bytes);
  }

  /** The first 64 KiB. */
  firstBytes(): Buffer {
    return this.head.subarray(0, this.size);
  }

  /** The last 512 bytes. */
  lastBytes(): Buffer {
    return this.tail;
  }

  /** Different texts that matched, at most 50. */
  matches(pattern: RegExp): string[] {
    return [...(this.found.get(pattern) ?? [])];
  }

  private search(bytes: Buffer): void {
    const text = this.carry + bytes.toString('latin1');
    this.carry = text.slice(-overlap);
    for (const pattern of this.patterns) {
      for (const [match] of text.matchAll(pattern)) {
        const known = this.found.get(pattern) ?? new Set();
        if (known.size < maxMatches) this.found.set(pattern, known.add(match));
      }
    }
  }
}
