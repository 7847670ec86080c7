import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { PathNote } from '@spaceport/contract/left-out';
import { onlyPage } from '@spaceport/contract/only-page';
import { type FileBody, FileChangedError, type PublishSource } from '../source.ts';
import {
  type HashProgress,
  hashFiles,
  isGone,
  streamChunkBytes,
  whileThere,
  wholeFileBytes,
} from './hash.ts';
import { HashCache } from './hash-cache.ts';
import { type ScannedFile, scanFolder } from './scan.ts';

/**
 * What keeps a folder from being published: no files, only that required ones are missing, that some cannot be
 * read, its paths, or that there are too many.
 */
export type FolderFault = 'empty' | 'incomplete' | 'unreadable' | 'bad_paths' | 'too_many';

/** The folder cannot be published as it is; `problems` lists everything that is wrong. */
export class FolderError extends Error {
  readonly fault: FolderFault;
  readonly problems: readonly PathNote[];

  constructor(fault: FolderFault, folder: string, problems: readonly PathNote[]) {
    const [first, ...others] = problems.map(({ path, reason }) => `${path} ${reason}`);
    super(
      others.length === 0
        ? `${first}.`
        : `${problems.length} things in ${folder} cannot be published: ${first}; …`,
    );
    this.name = 'FolderError';
    this.fault = fault;
    this.problems = problems;
  }
}

export interface FolderSource extends PublishSource {
  readonly skipped: readonly PathNote[];
  readonly bytes: number;
  /** Number of files that were read; the others are unchanged since they were last hashed. */
  readonly hashed: number;
}

export interface FolderOptions {
  /** The folder with `.spaceport/hashes.json`; without it every file is hashed. */
  readonly projectFolder?: string | undefined;
  /** Paths that must exist, such as the entry. They are checked before anything is hashed. */
  readonly required?: readonly string[];
  readonly onProgress?: ((progress: HashProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a folder on disk as a source to publish: it is listed, checked against the path rules, and hashed.
 * @throws FolderError before anything is hashed, FileChangedError, or the signal's reason
 */
export async function folderSource(folder: string, options: FolderOptions = {}): Promise<FolderSource> {
  const scannedAtMs = Date.now();
  const { files, skipped, problems, unreadable, tooMany, isWhole } = scanFolder(folder);
  if (files.length === 0 && problems.length + unreadable.length === 0) {
    throw new FolderError('empty', folder, [{ path: folder, reason: 'has no files' }]);
  }
  const paths = new Set(files.map((file) => file.path));
  // Of a folder that was not listed to its end nobody knows what is missing.
  const missing = (files.length === 0 || !isWhole ? [] : (options.required ?? []))
    .filter((path) => !paths.has(path))
    .map((path) => ({ path, reason: `is the entry and is not in the folder${elsewhere(path, files)}` }));
  const faults = { too_many: tooMany, bad_paths: problems, unreadable, incomplete: missing };
  const all = Object.values(faults).flat();
  // The first one says what to do.
  for (const fault of ['too_many', 'bad_paths', 'unreadable', 'incomplete'] as const)
    if (faults[fault].length > 0) throw new FolderError(fault, folder, all);

  const cache = options.projectFolder === undefined ? null : new HashCache(options.projectFolder);
  const hashes = new Map<string, string>();
  for (const file of files) {
    const known = cache?.get(file);
    if (known !== undefined) hashes.set(file.path, known);
  }
  const unknown = files.filter((file) => !hashes.has(file.path));
  for (const [path, sha256] of await hashFiles(unknown, options)) hashes.set(path, sha256);
  cache?.save(files, hashes, scannedAtMs);

  return {
    files: files.map((file) => sourceFile(file, hashes)),
    skipped,
    bytes: files.reduce((sum, file) => sum + file.size, 0),
    hashed: unknown.length,
  };
}

/** Returns for the reason where else a missing file is, the folder of a build most often, or what stands for it. */
function elsewhere(path: string, files: readonly ScannedFile[]): string {
  const found = files
    .filter((file) => file.path.endsWith(`/${path}`))
    .map((file) => file.path.slice(0, -path.length - 1))
    .sort((a, b) => a.split('/').length - b.split('/').length);
  if (found.length === 0) {
    const page = onlyPage(files.map((file) => file.path));
    return page === undefined ? '' : `; its only page is ${page}`;
  }
  const more = found.length > 3 ? ', …' : '';
  return `; it is in ${found.slice(0, 3).join(', ')}${more}`;
}

function sourceFile(file: ScannedFile, hashes: ReadonlyMap<string, string>) {
  const { path, size, absolutePath } = file;
  const sha256 = hashes.get(path);
  if (sha256 === undefined) throw new Error(`${path} was not hashed`);
  const open = async (): Promise<FileBody> =>
    size <= wholeFileBytes ? whileThere(path, readFile(absolutePath)) : chunksOf(file);
  return { path, size, sha256, open };
}

async function* chunksOf({ path, absolutePath }: ScannedFile): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(absolutePath, { highWaterMark: streamChunkBytes });
  } catch (error) {
    throw isGone(error) ? new FileChangedError(path) : error;
  }
}
