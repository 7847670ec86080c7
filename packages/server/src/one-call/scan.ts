import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { leftOutReason } from '@spaceport/contract/left-out';
import { publishedText } from '@spaceport/contract/page-text';
import { type FileEntry, maxFiles } from '@spaceport/contract/versions';
import { ServiceError } from '../platform/errors.ts';
import { largestOf, type SizeLimits } from '../versions/manifest.ts';
import { type Entries, type Entry, requireNoBomb } from './entry.ts';
import { placeOf } from './entry-name.ts';

/** The files of an archive with their hashes. */
export interface Scan {
  readonly files: readonly FileEntry[];
  /** Hash and size of the entries to publish, by the index of the entry. */
  readonly hashes: ReadonlyMap<number, { readonly hash: string; readonly size: number }>;
  /** The names of entries that are not published, at most 50. */
  readonly leftOut: readonly string[];
  /** The texts that describe the folder, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The single folder that contains everything; empty if there is none. */
  readonly folder: string;
}

interface Found {
  readonly segments: readonly string[];
  readonly hash: string;
  readonly size: number;
  readonly index: number;
}

/** Folders and left-out files count too, because reading each entry costs time. */
const maxEntries = 20_000;
const namedEntries = 50;
const maxTextBytes = 1024 * 1024;
const settingsName = 'service.json';
const tellingNames: ReadonlySet<string> = new Set([settingsName, 'index.html', 'package.json']);

/**
 * Reads an archive once, from beginning to end.
 * @throws `invalid_files` naming links, devices, escaping and encrypted entries,
 * `too_large` and `too_many_files`
 */
export async function scanArchive(entries: Entries, packedBytes: number, limits: SizeLimits): Promise<Scan> {
  const found: Found[] = [];
  const problems: { name: string; problem: string }[] = [];
  const leftOut = new Set<string>();
  const leaveOut = (path: string) => {
    if (leftOut.size < namedEntries) leftOut.add(path);
  };
  const texts = new Map<string, string>();
  let index = -1;
  let bytes = 0;
  for await (const entry of entries()) {
    index += 1;
    if (index >= maxEntries) throw tooMany(`more than ${maxEntries} entries`, found);
    const place = placeOf(entry.name);
    const problem = 'problem' in place ? place.problem : entry.problem;
    const segments = 'problem' in place ? [] : place.segments;
    const out = leftOutOf(segments);
    if (problem !== null) problems.push({ name: entry.name, problem });
    else if (entry.kind === 'folder') continue;
    else if (out !== null) leaveOut(out);
    else {
      const tells = isTelling(segments, found[0]?.segments);
      const read = await readEntry(entry, { limits, before: bytes, packedBytes, tells });
      bytes += read.size;
      if (read.kept !== null) keepText(texts, segments, read.kept, problems);
      const { hash, size } = read;
      if (segments.at(-1) !== settingsName) found.push({ segments, index, hash, size });
      else if (read.kept === null) leaveOut(segments.join('/'));
    }
    if (found.length > maxFiles) throw tooMany(`more than ${maxFiles} files`, found);
    if (problems.length >= namedEntries) break;
  }
  if (problems.length > 0) throw unpublishable(problems);
  return arranged(found, texts, leftOut);
}

/** Returns the shortest beginning of the path that is never published; null if the whole path may be. */
function leftOutOf(segments: readonly string[]): string | null {
  const at = segments.findIndex(
    (segment, depth) =>
      (depth === 0 && segment === '__MACOSX') ||
      (leftOutReason(segment) !== null &&
        !(segment === settingsName && depth <= 1 && isLast(segments, depth))),
  );
  if (at === -1) return null;
  return segments.slice(0, at + 1).join('/') + (isLast(segments, at) ? '' : '/');
}

function isLast(segments: readonly string[], depth: number): boolean {
  return depth === segments.length - 1;
}

/**
 * Returns whether a text describes the folder. Only texts at the top, or in the top folder of the first file,
 * are kept, so that there are few.
 */
function isTelling(segments: readonly string[], first: readonly string[] = segments): boolean {
  if (!tellingNames.has(segments.at(-1) ?? '')) return false;
  return segments.length === 1 || (segments.length === 2 && segments[0] === first[0]);
}

interface Reading {
  readonly limits: SizeLimits;
  /** The bytes of all earlier entries. */
  readonly before: number;
  readonly packedBytes: number;
  /** Whether the text of the entry is needed. */
  readonly tells: boolean;
}

async function readEntry(
  entry: Entry,
  { limits, before, packedBytes, tells }: Reading,
): Promise<{ hash: string; size: number; kept: Buffer | null }> {
  const { maxFileBytes, maxVersionBytes } = limits;
  const hash = createHash('sha256');
  const chunks: Uint8Array[] = [];
  let size = 0;
  const requireSize = (length: number) => {
    if (length > maxFileBytes)
      throw tooLarge(entry.name, length, `a file may have ${maxFileBytes}`, { maxFileBytes });
    if (before + length > maxVersionBytes)
      throw tooLarge(entry.name, length, `a version may have ${maxVersionBytes} in all`, { maxVersionBytes });
    requireNoBomb(before + length, packedBytes, limits);
  };
  requireSize(entry.size);
  for await (const chunk of entry.read()) {
    size += chunk.byteLength;
    requireSize(size);
    hash.update(chunk);
    if (tells && size <= maxTextBytes) chunks.push(chunk);
  }
  const kept = tells && size <= maxTextBytes ? Buffer.concat(chunks) : null;
  return { hash: hash.digest('hex'), size, kept };
}

function keepText(
  texts: Map<string, string>,
  segments: readonly string[],
  bytes: Buffer,
  problems: { name: string; problem: string }[],
): void {
  const path = segments.join('/');
  const isSettings = segments.at(-1) === settingsName;
  // The manifest checks the files of a version for duplicates, but not this file.
  if (isSettings && texts.has(path)) problems.push({ name: path, problem: 'is there twice' });
  // Its letters would be lost in what is published. Pages may have other encodings.
  if (isSettings && !isUtf8(bytes)) problems.push({ name: path, problem: 'is not in UTF-8' });
  texts.set(path, isSettings ? bytes.toString('utf8') : publishedText(bytes));
}

/** Removes a single top folder from all paths. */
function arranged(found: readonly Found[], texts: ReadonlyMap<string, string>, leftOut: Set<string>): Scan {
  const paths = [
    ...found.map(({ segments }) => segments),
    ...[...texts.keys()].map((path) => path.split('/')),
  ];
  const [top = ''] = paths[0] ?? [];
  const folder = paths.every(([first, ...rest]) => first === top && rest.length > 0) ? top : '';
  const skipped = folder === '' ? 0 : 1;
  // Only the settings of the whole folder are read.
  for (const path of texts.keys())
    if (path.endsWith(`/${settingsName}`) && path !== `${folder}/${settingsName}`) leftOut.add(path);
  return {
    files: found.map(({ segments, hash, size }) => ({
      path: segments.slice(skipped).join('/'),
      size,
      sha256: hash,
    })),
    hashes: new Map(found.map(({ index, hash, size }) => [index, { hash, size }])),
    leftOut: [...leftOut],
    texts: new Map([...texts].map(([path, text]) => [path.split('/').slice(skipped).join('/'), text])),
    folder,
  };
}

/** Names the largest of the files that were read, as a create names its largest. */
function tooMany(what: string, found: readonly Found[]): ServiceError {
  const files = found.map(({ segments, size }) => ({ path: segments.join('/'), size }));
  return new ServiceError(
    'too_many_files',
    `The archive has ${what}; a version may have ${maxFiles} files.`,
    { files: largestOf(files), maxFiles },
  );
}

function tooLarge(name: string, size: number, rule: string, limit: Record<string, number>): ServiceError {
  const path = shown(name);
  return new ServiceError('too_large', `«${path}» has ${size} bytes or more; ${rule}.`, {
    files: [{ path, size }],
    ...limit,
  });
}

/** Returns the refusal of entries that cannot be published, naming each. */
export function unpublishable(problems: readonly { name: string; problem: string }[]): ServiceError {
  const named = problems.map(({ name, problem }) => ({ path: shown(name), message: problem }));
  const [first] = named;
  const more = named.length > 1 ? ` (and ${named.length - 1} more)` : '';
  return new ServiceError('invalid_files', `«${first?.path}» ${first?.message}${more}.`, {
    paths: named.map(({ path }) => path),
    issues: named,
  });
}

function shown(name: string): string {
  return name.slice(0, 240).toWellFormed();
}
