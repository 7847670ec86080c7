import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry as ZipEntry, type ZipFile } from 'yauzl';
import { brokenArchive, type Entry } from './entry.ts';
import type { Stored } from './spool.ts';

/** Gives yauzl random access to the spool. */
class StoredReader extends yauzl.RandomAccessReader {
  readonly #stored: Stored;

  constructor(stored: Stored) {
    super();
    this.#stored = stored;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#stored.read(start, end), { objectMode: false });
  }
}

/**
 * Reads the entries of a zip archive by its central directory.
 * @throws `invalid_files` if it cannot be read
 */
export async function* zipEntries(stored: Stored): AsyncGenerator<Entry, void, undefined> {
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(new StoredReader(stored), stored.size, {
      // Names are checked by `placeOf`, so that a refusal names the entry.
      decodeStrings: false,
      lazyEntries: true,
      autoClose: false,
    });
    for await (const entry of zip.eachEntry()) yield toEntry(zip, entry);
  } catch (error) {
    throw brokenArchive(error);
  }
}

function toEntry(zip: ZipFile, entry: ZipEntry): Entry {
  const name = nameOf(entry);
  const kind = name.endsWith('/') ? 'folder' : 'file';
  return {
    name,
    kind,
    problem: problemOf(entry, kind),
    size: entry.uncompressedSize,
    async *read() {
      try {
        let sum = 0;
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          sum = crc32(chunk, sum);
          yield chunk;
        }
        if (sum !== entry.crc32) throw new Error(`«${name}» is damaged: its checksum is another`);
      } catch (error) {
        throw brokenArchive(error);
      }
    },
  };
}

const saysUtf8 = 0x800;

/**
 * macOS and others write names in UTF-8 and do not say so. Names in an older encoding are hardly ever valid UTF-8 by
 * chance.
 */
function nameOf({ generalPurposeBitFlag: flags, fileNameRaw, extraFields }: ZipEntry): string {
  const known = isUtf8(fileNameRaw) ? flags | saysUtf8 : flags;
  return yauzl.getFileNameLowLevel(known, fileNameRaw, extraFields, false);
}

const madeOnUnix = 3;
const typeBits = 0o170_000;
/** Unix types of regular files and folders. Archives of other systems have no type. */
const plainTypes: ReadonlySet<number> = new Set([0o100_000, 0o040_000, 0]);
const linkType = 0o120_000;
const storedAsIs = 0;
const deflated = 8;

function problemOf(entry: ZipEntry, kind: Entry['kind']): string | null {
  const onUnix = entry.versionMadeBy >> 8 === madeOnUnix;
  const type = onUnix ? (entry.externalFileAttributes >>> 16) & typeBits : 0;
  if (type === linkType) return 'is a link';
  if (!plainTypes.has(type)) return 'is no file';
  if (kind === 'folder') return null;
  if (entry.isEncrypted()) return 'is encrypted';
  const { compressionMethod } = entry;
  if (compressionMethod === storedAsIs || compressionMethod === deflated) return null;
  return `is packed in a way that is not supported (method ${compressionMethod}); use deflate`;
}
