import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Extract, type Header, extract as startExtract } from 'tar-stream';
import { drained } from '../platform/drained.ts';
import type { SizeLimits } from '../versions/manifest.ts';
import { brokenArchive, type Entry, requireNoBomb } from './entry.ts';
import type { Stored } from './spool.ts';

interface TarOptions {
  readonly limits: SizeLimits;
  /** Whether it is compressed with gzip. */
  readonly zipped: boolean;
}

/**
 * Reads the entries of a tar archive.
 * @throws `invalid_files` if it cannot be read, and `too_large` for a gzip bomb
 */
export async function* tarEntries(
  stored: Stored,
  { limits, zipped }: TarOptions,
): AsyncGenerator<Entry, void, undefined> {
  const extract = startExtract();
  const fed = feed(extract, zipped ? gunzipped(stored, limits) : stored.read());
  try {
    for await (const entry of extract) {
      yield toEntry(entry);
      entry.resume();
    }
  } catch (error) {
    throw brokenArchive(error);
  } finally {
    extract.destroy(null);
    await fed;
  }
}

/** What is given to the reader at once. It reads all of it in one turn, but for the content of files. */
const sliceBytes = 16 * 1024;
/** The most bytes of headers before an entry. Long names and attributes of files have far fewer. */
const maxHeaderBytes = 64 * 1024;
const blockBytes = 512;

/**
 * Gives the bytes to the reader. It would take headers of 4 MiB, any number of them before an entry, and copy the
 * records of one that is for all entries once for each entry: a small archive could take hours of one turn.
 */
async function feed(extract: Extract, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let fed = 0;
  /** Where the headers of the next entry begin. */
  let next = 0;
  extract.on('entry', ({ type, size = 0 }, { offset }) => {
    const blocks = type === 'directory' ? 1 : 1 + Math.ceil(size / blockBytes);
    next = offset + blocks * blockBytes;
  });
  try {
    for await (const chunk of bytes)
      for (let from = 0; from < chunk.byteLength; from += sliceBytes) {
        const slice = chunk.subarray(from, from + sliceBytes);
        if (extract.destroyed) return;
        // An archive may end in any number of zeros.
        if (fed - next > maxHeaderBytes && slice.some((byte) => byte !== 0))
          throw new Error(`it has over ${maxHeaderBytes} bytes of headers before an entry`);
        fed += slice.byteLength;
        if (!extract.write(slice)) await drained(extract);
      }
    extract.end(undefined);
  } catch (error) {
    extract.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

async function* gunzipped(stored: Stored, limits: SizeLimits): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // The loop below throws the pipeline's error.
  pipeline(Readable.from(stored.read(), { objectMode: false }), gunzip, () => {});
  let bytes = 0;
  for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    requireNoBomb(bytes, stored.size, limits);
    yield chunk;
  }
}

const fileTypes: ReadonlySet<unknown> = new Set(['file', 'contiguous-file']);
const problems: Readonly<Record<string, string>> = {
  link: 'is a link',
  symlink: 'is a link',
  'character-device': 'is a device',
  'block-device': 'is a device',
  fifo: 'is a pipe',
};

/** Records of a pax header that say that the bytes are only parts of a file, which has holes between them. */
const sparseRecord = /^GNU\.sparse\./u;
const isSparse = 'is stored as a sparse file; pack it without that (tar without -S, or --format=ustar)';

/** More than any program writes about a file. */
const maxRecords = 100;

function problemOf({ type, pax }: Header): string | null {
  if (!fileTypes.has(type)) return problems[String(type)] ?? 'is no file';
  return Object.keys(pax ?? {}).some((name) => sparseRecord.test(name)) ? isSparse : null;
}

type TarEntry = AsyncIterable<unknown> & { readonly header: Header };

function toEntry(entry: TarEntry): Entry {
  const { name, type, size = 0, pax } = entry.header;
  if (Object.keys(pax ?? {}).length > maxRecords)
    throw new Error(`an entry has more than ${maxRecords} records about it`);
  const kind = type === 'directory' ? 'folder' : 'file';
  return {
    name,
    kind,
    problem: kind === 'folder' ? null : problemOf(entry.header),
    size,
    async *read() {
      try {
        yield* entry as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw brokenArchive(error);
      }
    },
  };
}
