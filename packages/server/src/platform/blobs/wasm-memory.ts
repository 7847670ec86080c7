/**
 * Finds out, from the bytes of a wasm module as they stream by, whether its memory (own or imported) is
 * shared between threads. Sections other than imports and memory are skipped. Malformed or unknown content
 * ends the reading with `false`. It never throws, and keeps no bytes.
 * https://webassembly.github.io/spec/core/binary/modules.html, and the threads and memory64 proposals for
 * limits.
 */
export class SharedMemoryReader {
  shared = false;
  /** True once no later byte can change `shared`: at once, if it is not a wasm module. */
  done = false;
  readonly #cursor: Cursor = { position: 0, skip: 0 };
  readonly #parser = readModule(this.#cursor);
  #readBytes = 0;

  constructor() {
    this.#parser.next(0);
  }

  update(chunk: Uint8Array): void {
    let offset = 0;
    while (!this.done) {
      const skipped = Math.min(this.#cursor.skip, chunk.byteLength - offset);
      this.#cursor.skip -= skipped;
      offset += skipped;
      const byte = chunk[offset];
      if (byte === undefined) return;
      offset += 1;
      this.#read(byte);
    }
  }

  #read(byte: number): void {
    const { done, value } = this.#parser.next(byte);
    this.#readBytes += 1;
    if (done) this.shared = value;
    this.done = done === true || this.#readBytes > maxReadBytes;
  }
}

/** Reading costs far more than skipping. The largest engines' imports are a tenth of this. */
const maxReadBytes = 1024 * 1024;
const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const importSection = 2;
const memorySection = 5;
const limitFlags = { maximum: 1, shared: 2, pageSize: 8 } as const;

interface Cursor {
  /** The position in the module, including the bytes that are still to be skipped. */
  position: number;
  /** How many bytes to skip before the next one is read. */
  skip: number;
}
/** A coroutine that is given one byte at a time. */
type Reading<T> = Generator<undefined, T, number>;
type Found = 'shared' | 'not shared' | 'not understood';

function* readModule(cursor: Cursor): Reading<boolean> {
  for (const expected of header) if ((yield* readByte(cursor)) !== expected) return false;
  for (;;) {
    const section = yield* readByte(cursor);
    const length = yield* readNumber(cursor);
    const end = cursor.position + length;
    if (section === importSection || section === memorySection) {
      const read = section === importSection ? readImport : readMemory;
      const found = yield* readVector(cursor, end, read);
      if (found !== 'not shared') return found === 'shared';
    }
    // A NaN position, from a malformed length, fails this too.
    if (!(cursor.position <= end)) return false;
    pass(cursor, end - cursor.position);
  }
}

function* readVector(
  cursor: Cursor,
  end: number,
  readElement: (cursor: Cursor) => Reading<Found>,
): Reading<Found> {
  const count = yield* readNumber(cursor);
  for (let index = 0; index < count && cursor.position < end; index += 1) {
    const found = yield* readElement(cursor);
    if (found !== 'not shared') return found;
  }
  return 'not shared';
}

function* readImport(cursor: Cursor): Reading<Found> {
  pass(cursor, yield* readNumber(cursor));
  pass(cursor, yield* readNumber(cursor));
  const kind = yield* readByte(cursor);
  switch (kind) {
    case 0: // a function
      yield* readNumber(cursor);
      return 'not shared';
    case 1: // a table
      yield* readType(cursor);
      yield* readLimits(cursor);
      return 'not shared';
    case 2:
      return yield* readMemory(cursor);
    case 3: // a global, and whether it is mutable
      yield* readType(cursor);
      yield* readByte(cursor);
      return 'not shared';
    case 4: // a tag
      yield* readByte(cursor);
      yield* readNumber(cursor);
      return 'not shared';
    default:
      return 'not understood';
  }
}

function* readMemory(cursor: Cursor): Reading<Found> {
  const flags = yield* readLimits(cursor);
  return flags & limitFlags.shared ? 'shared' : 'not shared';
}

/** Returns the flags. */
function* readLimits(cursor: Cursor): Reading<number> {
  const flags = yield* readByte(cursor);
  yield* readNumber(cursor);
  if (flags & limitFlags.maximum) yield* readNumber(cursor);
  if (flags & limitFlags.pageSize) yield* readNumber(cursor);
  return flags;
}

/** A value type: one byte, or one of the two forms of reference that have a heap type after it. */
function* readType(cursor: Cursor): Reading<void> {
  const type = yield* readByte(cursor);
  if (type === 0x63 || type === 0x64) yield* readNumber(cursor);
}

/**
 * Reads LEB128 of at most 64 bits as unsigned (the sign of a heap type does not matter here); NaN if it is
 * longer.
 */
function* readNumber(cursor: Cursor): Reading<number> {
  let value = 0;
  for (let read = 0, scale = 1; read < 10; read += 1, scale *= 128) {
    const byte = yield* readByte(cursor);
    value += (byte & 127) * scale;
    if (byte < 128) return value;
  }
  return Number.NaN;
}

function* readByte(cursor: Cursor): Reading<number> {
  cursor.position += 1;
  return yield;
}

/** Skips bytes. A NaN length makes every later comparison of the position fail, and so ends the reading. */
function pass(cursor: Cursor, bytes: number): void {
  cursor.position += bytes;
  cursor.skip += Number.isNaN(bytes) ? 0 : bytes;
}
