import { readFileSync } from 'node:fs';
import type { ScannedFile } from './scan.ts';
import { writeStateFile } from './state-folder.ts';

/** [size, mtime ns, ctime ns, inode, sha256]; bigints as decimal strings. */
type Entry = [number, string, string, string, string];

const formatVersion = 1;
/**
 * A file that is written just before it is hashed could change again without a change of its times, because
 * the clock is coarse. So a file younger than this is hashed again next time; git calls such entries "racily
 * clean".
 */
const graceNs = 2_000_000_000n;

/**
 * A cache of file hashes in `.spaceport/hashes.json`. An entry is valid only for a file with the same size,
 * inode, modification and change time. A cache that cannot be read counts as empty.
 */
export class HashCache {
  readonly #path: string;
  /** Number of entries that were found to be valid. */
  #confirmed = 0;
  readonly #entries: Map<string, Entry>;

  constructor(projectFolder: string) {
    this.#path = projectFolder;
    this.#entries = readEntries(`${projectFolder}/.spaceport/hashes.json`);
  }

  get(file: ScannedFile): string | undefined {
    const entry = this.#entries.get(file.absolutePath);
    const same = entry !== undefined && signature(file).every((part, index) => part === entry[index]);
    if (!same) return undefined;
    this.#confirmed += 1;
    return entry[4];
  }

  /**
   * Stores the hashes of exactly these files, after `get` was called for each. A cache that cannot be written
   * (a read-only folder) is no error.
   * @param scannedAtMs when the scan that gave the files' times began, in epoch milliseconds
   */
  save(files: readonly ScannedFile[], hashes: ReadonlyMap<string, string>, scannedAtMs: number): void {
    // Nothing has changed.
    if (this.#confirmed === files.length && this.#confirmed === this.#entries.size) return;
    const trustedBeforeNs = BigInt(Math.floor(scannedAtMs)) * 1_000_000n - graceNs;
    const entries: Record<string, Entry> = {};
    for (const file of files) {
      const sha256 = hashes.get(file.path);
      const settled = file.mtimeNs < trustedBeforeNs && file.ctimeNs < trustedBeforeNs;
      if (sha256 !== undefined && settled) entries[file.absolutePath] = [...signature(file), sha256];
    }
    try {
      writeStateFile(this.#path, 'hashes.json', JSON.stringify({ format: formatVersion, entries }));
    } catch {}
  }
}

function signature(file: ScannedFile): [number, string, string, string] {
  return [file.size, String(file.mtimeNs), String(file.ctimeNs), String(file.inode)];
}

function readEntries(path: string): Map<string, Entry> {
  try {
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof stored !== 'object' || stored === null || !('format' in stored) || !('entries' in stored)) {
      return new Map();
    }
    if (stored.format !== formatVersion || typeof stored.entries !== 'object' || stored.entries === null) {
      return new Map();
    }
    return new Map(
      Object.entries(stored.entries).filter((pair): pair is [string, Entry] => isEntry(pair[1])),
    );
  } catch {
    return new Map();
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || value.length !== 5 || typeof value[0] !== 'number') return false;
  return value.slice(1).every((part) => typeof part === 'string') && /^[0-9a-f]{64}$/u.test(String(value[4]));
}
