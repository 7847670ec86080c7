import type { CheckedFile } from '../../rule.ts';
import { type HeaderBudget, type NameWatch, nameWatch } from './archive-names.ts';
import { type BytePattern, ByteWatch, type PatternSet } from './byte-watch.ts';
import type { Facts } from './facts.ts';
import type { FactsReader } from './facts-reader.ts';
import { PageText } from './page-text.ts';
import { type ServedAs, servedAs } from './served-as.ts';
import { type Packing, packingOf, type UnpackBudget, unpack } from './unpack.ts';

/** One file after it was read once for all rules. */
export interface ReadFile {
  readonly source: CheckedFile;
  readonly path: string;
  readonly servedAs: ServedAs;
  /** The stored bytes and, for a packed file, the unpacked ones. */
  readonly layers: readonly Pick<ByteWatch, 'size' | 'firstBytes' | 'lastBytes'>[];
  readonly unpacked: 'not_packed' | 'whole' | 'cut' | 'broken';
  /**
   * True for a page or script over the size limit: patterns were searched, but facts cover
   * only its beginning or are missing.
   */
  readonly textCut: boolean;
  /** The names in a zip or tar that a rule asked for. */
  readonly archived: readonly string[];
  /** True for an archive whose names were not all looked at. */
  readonly archivedCut: boolean;
  /** Returns the texts that matched a rule's pattern, anywhere in the file. */
  matches(pattern: BytePattern): string[];
  /** Returns the facts of a page or script; null for other files, and if `unreadable` is true. */
  facts(): Promise<Facts | null>;
  /** Returns true for a page or script that cannot be parsed in bounded time and memory. */
  unreadable(): Promise<boolean>;
}

export interface ReadingContext {
  readonly patterns: PatternSet;
  readonly wantsName: (name: string) => boolean;
  readonly facts: FactsReader;
  readonly budget: UnpackBudget & HeaderBudget;
  readonly signal: AbortSignal;
}

/** Enough bytes to tell a zip or tar from other files. */
const archiveHeadBytes = 512;
const maxUnpackedBytes = 512 * 1024 * 1024;

/** @throws the errors of the file's stream, and the reason of an aborted signal */
export async function readFile(source: CheckedFile, context: ReadingContext): Promise<ReadFile> {
  const { start, stream } = await peek(source, context.signal);
  const packing = packingOf(source.path, start);
  if (!packing) return readPlain(source, stream, context);
  const file = await readPacked(source, stream, packing, context);
  // The bytes are not in the format that the name promises, so they are read as they are.
  return (
    file ?? { ...(await readPlain(source, await restart(source, context), context)), unpacked: 'broken' }
  );
}

async function restart(source: CheckedFile, context: ReadingContext): Promise<AsyncIterable<Uint8Array>> {
  return (await peek(source, context.signal)).stream;
}

async function readPlain(
  source: CheckedFile,
  stream: AsyncIterable<Uint8Array>,
  context: ReadingContext,
): Promise<ReadFile> {
  const layer = new Layer(source.path, context);
  for await (const chunk of stream) layer.take(chunk);
  return layer.file(source, [layer.bytes], 'not_packed');
}

async function readPacked(
  source: CheckedFile,
  stream: AsyncIterable<Uint8Array>,
  packing: Packing,
  context: ReadingContext,
): Promise<ReadFile | null> {
  const stored = new ByteWatch(null);
  const inner = new Layer(source.path, context);
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      stored.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      yield chunk;
    }
  }
  const unpacked = await unpack(watched(), packing, maxUnpackedBytes, context.budget, (bytes) =>
    inner.take(bytes),
  );
  return unpacked === 'broken' ? null : inner.file(source, [stored, inner.bytes], unpacked);
}

/** The bytes that a browser ends up with, and everything that is searched for in them. */
class Layer {
  readonly bytes: ByteWatch;
  private readonly servedAs: ServedAs;
  private readonly text: PageText | null;
  private readonly context: ReadingContext;
  private beginning = Buffer.alloc(0);
  private names: NameWatch | null | undefined;

  constructor(path: string, context: ReadingContext) {
    this.servedAs = servedAs(path);
    this.text = this.servedAs === 'other' ? null : new PageText();
    this.bytes = new ByteWatch(context.patterns);
    this.context = context;
  }

  take(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.bytes.take(bytes);
    this.text?.take(bytes);
    if (this.names !== undefined) {
      this.names?.take(bytes);
      return;
    }
    this.beginning = Buffer.concat([this.beginning, bytes]);
    if (this.beginning.length >= archiveHeadBytes) this.watchNames();
  }

  file(source: CheckedFile, layers: ReadFile['layers'], unpacked: ReadFile['unpacked']): ReadFile {
    if (this.names === undefined) this.watchNames();
    const { servedAs, text, bytes, names, context } = this;
    // The beginning of a page can be parsed; the beginning of a script cannot.
    const parsed = servedAs !== 'other' && text && !(text.cut && servedAs === 'script');
    let reading: Promise<Facts | null> | null = null;
    const facts = async (): Promise<Facts | null> => {
      if (!parsed) return null;
      reading ??= context.facts.read({ servedAs, bytes: text.bytes() });
      return reading;
    };
    return {
      source,
      path: source.path,
      servedAs,
      layers,
      unpacked,
      textCut: text?.cut ?? false,
      archived: [...(names?.names ?? [])],
      archivedCut: names?.cut ?? false,
      matches: (pattern) => bytes.matches(pattern),
      facts,
      unreadable: async () => Boolean(parsed) && (await facts()) === null,
    };
  }

  /** Starts watching names, once enough bytes are there to tell the file's type. */
  private watchNames(): void {
    this.names = nameWatch(this.beginning, this.context.wantsName, this.context.budget);
    this.names?.take(this.beginning);
    this.beginning = Buffer.alloc(0);
  }
}

/** Opens a file and reads its first four bytes. The returned stream still gives all bytes. */
async function peek(
  source: CheckedFile,
  signal: AbortSignal,
): Promise<{ start: Buffer; stream: AsyncIterable<Uint8Array> }> {
  signal.throwIfAborted();
  const iterator = (await source.open())[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < 4) {
    const { done, value } = await iterator.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* first;
      for (;;) {
        signal.throwIfAborted();
        const { done, value } = await iterator.next();
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { start: Buffer.concat(first).subarray(0, 4), stream: whole() };
}
