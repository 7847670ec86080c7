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

async function feed(extract: Extract, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of bytes) {
      if (extract.destroyed) return;
      if (!extract.write(chunk)) await drained(extract);
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

function problemOf({ type, pax }: Header): string | null {
  if (!fileTypes.has(type)) return problems[String(type)] ?? 'is no file';
  return Object.keys(pax ?? {}).some((name) => sparseRecord.test(name)) ? isSparse : null;
}

type TarEntry = AsyncIterable<unknown> & { readonly header: Header };

function toEntry(entry: TarEntry): Entry {
  const { name, type, size = 0 } = entry.header;
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
