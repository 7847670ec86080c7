const headBytes = 65_536;
const tailBytes = 512;
/** In bytes, longer than any match: the part of a chunk that a search keeps for the next chunk. */
const overlap = 512;
const maxMatches = 50;

/** A pattern to look for in all bytes of all files. */
export interface BytePattern {
  /**
   * Every match contains one of these words, in any case. All words are looked
   * for first, with one expression.
   */
  readonly words: readonly string[];
  /** A global expression. It sees one byte as one character (Latin-1) and matches at most 512 bytes. */
  readonly pattern: RegExp;
}

/** The patterns of all rules, and one expression that tells whether any of them can match. */
export class PatternSet {
  private readonly patterns: readonly BytePattern[];
  private readonly anyWord: RegExp | null;

  constructor(patterns: readonly BytePattern[]) {
    this.patterns = patterns;
    const words = patterns.flatMap((pattern) => pattern.words).map((word) => RegExp.escape(word));
    this.anyWord = words.length > 0 ? new RegExp(words.join('|'), 'i') : null;
  }

  *search(text: string): Generator<[BytePattern, string]> {
    if (!this.anyWord?.test(text)) return;
    for (const pattern of this.patterns) {
      for (const [match] of text.matchAll(pattern.pattern)) yield [pattern, match];
    }
  }
}

/** Watches one layer of a file, stored or unpacked, while its bytes are read. */
export class ByteWatch {
  size = 0;
  private head: Buffer = Buffer.alloc(0);
  private tail: Buffer = Buffer.alloc(0);
  private carry = '';
  private readonly patterns: PatternSet | null;
  private readonly found = new Map<BytePattern, Set<string>>();

  /** @param patterns null if nothing is looked for */
  constructor(patterns: PatternSet | null) {
    this.patterns = patterns;
  }

  take(bytes: Buffer): void {
    if (this.size < headBytes) {
      this.head = Buffer.concat([this.head, bytes.subarray(0, headBytes - this.size)]);
    }
    this.size += bytes.length;
    const last = bytes.subarray(-tailBytes);
    this.tail = Buffer.concat(last.length === tailBytes ? [last] : [this.tail, last]).subarray(-tailBytes);
    if (this.patterns) this.search(bytes, this.patterns);
  }

  /** Returns the first 64 KiB. */
  firstBytes(): Buffer {
    return this.head;
  }

  /** Returns the last 512 bytes. */
  lastBytes(): Buffer {
    return this.tail;
  }

  /** Returns the distinct texts that matched, at most 50. */
  matches(pattern: BytePattern): string[] {
    return [...(this.found.get(pattern) ?? [])];
  }

  private search(bytes: Buffer, patterns: PatternSet): void {
    const text = this.carry + bytes.toString('latin1');
    this.carry = text.slice(-overlap);
    for (const [pattern, match] of patterns.search(text)) {
      const known = this.found.get(pattern) ?? new Set();
      if (known.size < maxMatches) this.found.set(pattern, known.add(match));
    }
  }
}
