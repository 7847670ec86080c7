import { publishArchive } from '@spaceport/contract/one-call';
import { onlyPage } from '@spaceport/contract/only-page';
import { foldPath, maxPathBytes, pathConflicts, pathProblem } from '@spaceport/contract/paths';
import type { FileEntry } from '@spaceport/contract/versions';
import { type ErrorDetails, type NextStep, ServiceError } from '../platform/errors.ts';
import { must } from '../platform/must.ts';

/** A version's files, sorted by path: `[path, sha256, size]`, as the manifests table keeps them. */
export type ManifestEntry = readonly [path: string, hash: string, size: number];
export type Manifest = readonly ManifestEntry[];

export interface SizeLimits {
  readonly maxFileBytes: number;
  readonly maxVersionBytes: number;
}

/** The real size of a stored file in bytes. */
export interface StoredSize {
  readonly hash: string;
  readonly size: number;
}

/** The size limits for the files of a publisher. */
export interface ManifestBounds {
  readonly limits: SizeLimits;
  /** How to get higher limits, if there is a way. */
  readonly moreBy?: NextStep;
}

/** Paths that are reserved for the service: case-folded path → the message that says so. */
export type TakenPaths = ReadonlyMap<string, string>;

const namedFiles = 5;
const namedProblems = 50;

/**
 * Checks the files of a create and makes the manifest.
 * @throws `invalid_files` naming every bad path, `too_large` naming the largest files, `no_entry`
 */
export function buildManifest(
  files: readonly FileEntry[],
  entry: string,
  { limits, moreBy }: ManifestBounds,
  taken: TakenPaths = new Map(),
): Manifest {
  checkPaths(files, taken);
  checkHashes(files);
  checkSizes(files, limits, moreBy ? { next: moreBy } : {});
  if (!files.some((file) => file.path === entry)) {
    throw noEntry(files, entry);
  }
  return files
    .map((file): ManifestEntry => [file.path, file.sha256, file.size])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

/**
 * Builds the error for a missing entry. It suggests a file of the same name further in: the publisher
 * probably sent a folder too many. Without one it suggests the only page that there is.
 */
function noEntry(files: readonly FileEntry[], entry: string): ServiceError {
  const name = `/${entry.split('/').at(-1)?.toLowerCase()}`;
  const paths = files.map(({ path }) => path);
  const [inner] = paths
    .filter((path) => `/${path}`.toLowerCase().endsWith(name))
    .sort((left, right) => left.split('/').length - right.split('/').length);
  const nearest = inner ?? onlyPage(paths);
  const message = `There is no file at ${entry}, the page that opens`;
  if (nearest === undefined) {
    return new ServiceError('no_entry', `${message}.`, {
      entry,
      next: (app, operation) =>
        isArchive(operation)
          ? `Pack the whole folder, or name the page that opens as «entry» in the query; ${app}/docs/publish.md shows the call.`
          : `Send that file too, for «files» is the whole folder, or name the page that opens as «entry»; ${app}/docs/publish.md shows the call.`,
    });
  }
  const folder = inner?.slice(0, -name.length) ?? '';
  const without = (what: string) => (folder === '' ? '' : `, or ${what} without «${folder}/» in front`);
  return new ServiceError(
    'no_entry',
    `${message}; there is ${inner === undefined ? 'the page' : 'one at'} ${nearest}.`,
    {
      entry,
      next: (app, operation) =>
        isArchive(operation)
          ? `Add entry=${encodeURIComponent(nearest)} to the query${without('pack the files')}: POST ${app}/api/v1/hosting/publish.`
          : `Send "entry": ${JSON.stringify(nearest)}${without('send the paths')}: POST ${app}/api/v1/hosting/versions.`,
    },
  );
}

/** Returns whether an archive was published in one call, whose sender never sees `files`. */
function isArchive(operationId: string | undefined): boolean {
  return operationId === publishArchive.id;
}

function checkPaths(files: readonly FileEntry[], taken: TakenPaths): void {
  const problems: { path: string; index: number; message: string }[] = [];
  files.forEach(({ path }, index) => {
    const message = pathProblem(path) ?? taken.get(foldPath(path));
    if (message) problems.push({ path, index, message });
  });
  if (problems.length === 0) {
    const conflicts = pathConflicts(files.map(({ path }) => path));
    const indexes = new Map(conflicts.length === 0 ? [] : files.map(({ path }, index) => [path, index]));
    for (const { path, reason } of conflicts) {
      problems.push({ path, index: must(indexes, path), message: reason });
    }
  }
  const [first] = problems;
  if (!first) return;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw new ServiceError('invalid_files', `«${first.path}» ${first.message}${more}.`, {
    paths: problems.slice(0, namedProblems).map(({ path }) => path),
    issues: problems
      .slice(0, namedProblems)
      .map(({ index, message }) => ({ path: `files.${index}.path`, message })),
  });
}

/**
 * Checks that files with the same hash have the same size.
 * @throws `invalid_files`
 */
function checkHashes(files: readonly FileEntry[]): void {
  const sizes = new Map<string, number>();
  for (const [index, { path, sha256, size }] of files.entries()) {
    if ((sizes.get(sha256) ?? size) !== size) {
      throw new ServiceError('invalid_files', `«${path}» has the hash of another file but not its size.`, {
        paths: [path],
        issues: [{ path: `files.${index}.size`, message: 'differs from another file with the same sha256' }],
      });
    }
    sizes.set(sha256, size);
  }
}

/**
 * Checks that declared sizes are those of the stored files, also where the caller has the file and sends
 * nothing.
 * @param had only files that the caller has: for others the answer would reveal their sizes
 * @throws `invalid_files` naming every path with another size
 */
export function requireStoredSizes(manifest: Manifest, had: readonly StoredSize[]): void {
  const sizes = new Map(had.map(({ hash, size }) => [hash, size]));
  const wrong = manifest.filter(([, hash, size]) => (sizes.get(hash) ?? size) !== size);
  const [first] = wrong;
  if (!first) return;
  const [path, hash, size] = first;
  const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more)` : '';
  throw new ServiceError(
    'invalid_files',
    `«${path}» is declared with ${size} bytes; the file with its sha256 has ${sizes.get(hash)}${more}.`,
    { paths: wrong.slice(0, namedProblems).map(([path]) => path) },
  );
}

/** Returns what a refusal of too many or too large files names: the largest ones. */
export function largestOf(
  files: readonly Pick<FileEntry, 'path' | 'size'>[],
): { path: string; size: number }[] {
  return [...files]
    .sort((left, right) => right.size - left.size)
    .slice(0, namedFiles)
    .map(({ path, size }) => ({ path: path.slice(0, maxPathBytes).toWellFormed(), size }));
}

function checkSizes(
  files: readonly FileEntry[],
  { maxFileBytes, maxVersionBytes }: SizeLimits,
  help: Pick<ErrorDetails, 'next'>,
): void {
  const over = files.filter(({ size }) => size > maxFileBytes).sort((left, right) => right.size - left.size);
  const [first] = over;
  if (first) {
    throw new ServiceError(
      'too_large',
      `«${first.path}» has ${first.size} bytes; a file may have ${maxFileBytes}.`,
      {
        files: over.slice(0, namedProblems).map(({ path, size }) => ({ path, size })),
        maxFileBytes,
        ...help,
      },
    );
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > maxVersionBytes) {
    throw new ServiceError(
      'too_large',
      `The files have ${total} bytes in all; a version may have ${maxVersionBytes}.`,
      {
        files: largestOf(files),
        maxVersionBytes,
        ...help,
      },
    );
  }
}

export function hashesOf(manifest: Manifest): string[] {
  return [...new Set(manifest.map(([, hash]) => hash))];
}

export function totalBytes(manifest: Manifest): number {
  return manifest.reduce((sum, [, , size]) => sum + size, 0);
}

export interface ManifestDiff {
  added: string[];
  changed: string[];
  removed: string[];
  unchanged: number;
}

/** Returns what `after` changes compared with `before`. */
export function diffManifests(before: Manifest, after: Manifest): ManifestDiff {
  const old = new Map(before.map(([path, hash]) => [path, hash]));
  const diff: ManifestDiff = { added: [], changed: [], removed: [], unchanged: 0 };
  for (const [path, hash] of after) {
    const known = old.get(path);
    old.delete(path);
    if (known === undefined) diff.added.push(path);
    else if (known === hash) diff.unchanged++;
    else diff.changed.push(path);
  }
  diff.removed.push(...old.keys());
  return diff;
}
