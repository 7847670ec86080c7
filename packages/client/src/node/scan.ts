import {
  accessSync,
  type BigIntStats,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { leftOutReason, type PathNote } from '@spaceport/contract/left-out';
import { pathConflicts, pathProblem } from '@spaceport/contract/paths';
import { maxFiles } from '@spaceport/contract/versions';
import { FileChangedError } from '../source.ts';
import { isGone } from './hash.ts';

/** A file in the folder. Times are in ns, because they tell whether the file changed since it was hashed. */
export interface ScannedFile {
  /** Relative to the folder, `/`-separated, in Unicode normal form C. */
  readonly path: string;
  readonly absolutePath: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
}

export interface FolderScan {
  readonly files: ScannedFile[];
  /** Files and folders that the rules leave out. A folder is listed once, without its files. */
  readonly skipped: PathNote[];
  /** Every problem of a path that must be fixed before this folder can be published. */
  readonly problems: PathNote[];
  /** Files and folders that this user may not read. */
  readonly unreadable: PathNote[];
  /** The folder, if it has more files than a version may have. */
  readonly tooMany: PathNote[];
  /** False if there were so many files that the rest of the folder was not listed. */
  isWhole: boolean;
}

/** A folder with more files than this is no build output, and is not walked to its end. */
const enoughFiles = maxFiles * 5;

/**
 * Lists the files of a folder that would be published. service.json, dotfiles, dot-folders and node_modules
 * are skipped; links are followed as long as they stay inside the folder.
 * The calls are synchronous: 2,000 files take some 20 ms this way and ten times that asynchronously.
 * @throws FileChangedError if a file is deleted meanwhile
 */
export function scanFolder(folder: string): FolderScan {
  const root = realpathSync(folder);
  const scan: FolderScan = {
    files: [],
    skipped: [],
    problems: [],
    unreadable: [],
    tooMany: [],
    isWhole: true,
  };
  walk({ root, scan }, root, '', [root]);
  scan.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path } of scan.files) {
    const reason = pathProblem(path);
    if (reason !== null) scan.problems.push({ path, reason });
  }
  scan.problems.push(...pathConflicts(scan.files.map((file) => file.path)));
  if (scan.files.length > maxFiles) {
    const count = scan.isWhole ? String(scan.files.length) : `${enoughFiles} or more`;
    scan.tooMany.push({
      path: folder,
      reason: `has ${count} files; a version may have ${maxFiles}${fullest(scan)}`,
    });
  }
  return scan;
}

/** Returns for the reason which folder at the top has most of the files, if one was listed that has many. */
function fullest({ files, isWhole }: FolderScan): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const at = path.indexOf('/');
    if (at > 0) counts.set(path.slice(0, at), (counts.get(path.slice(0, at)) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  // Of a folder that was not listed to its end nobody knows what has most.
  return !isWhole || most === undefined ? '' : `; ${most[0]}/ has ${most[1]} of them`;
}

interface Walk {
  readonly root: string;
  readonly scan: FolderScan;
}

/** @param trail real paths of the folders above, to notice a link that leads back up. */
function walk(state: Walk, directory: string, prefix: string, trail: readonly string[]): void {
  const reason = unreadable(directory, constants.R_OK | constants.X_OK);
  if (reason !== null) {
    state.scan.unreadable.push({ path: prefix || directory, reason });
    return;
  }
  const entries = whileThere(prefix || directory, () => readdirSync(directory, { withFileTypes: true }));
  for (const entry of entries) {
    if (state.scan.files.length >= enoughFiles) {
      state.scan.isWhole = false;
      return;
    }
    visit(state, directory, prefix, trail, entry);
  }
}

/** Looks at what was listed. @throws FileChangedError if it is gone: something writes to the folder */
function whileThere<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw isGone(error) ? new FileChangedError(path) : error;
  }
}

function visit(
  state: Walk,
  directory: string,
  prefix: string,
  trail: readonly string[],
  entry: Dirent,
): void {
  const { scan } = state;
  const path = prefix + entry.name.normalize('NFC');
  const absolutePath = join(directory, entry.name);
  const skip = leftOutReason(entry.name);
  if (skip !== null) {
    scan.skipped.push({ path: entry.isDirectory() ? `${path}/` : path, reason: skip });
    return;
  }
  // Node decodes bytes that are not UTF-8 as U+FFFD, and cannot open the file by that name.
  if (entry.name.includes('\ufffd')) {
    scan.problems.push({ path, reason: 'has a name that is not UTF-8' });
    return;
  }
  let directoryPath = absolutePath;
  let stats: BigIntStats;
  if (entry.isSymbolicLink()) {
    const target = followLink(state.root, absolutePath, trail);
    if ('reason' in target) {
      (target.skip ? scan.skipped : scan.problems).push({ path, reason: target.reason });
      return;
    }
    directoryPath = target.path;
    stats = whileThere(path, () => statSync(target.path, { bigint: true }));
  } else stats = whileThere(path, () => lstatSync(absolutePath, { bigint: true }));

  if (stats.isDirectory()) walk(state, directoryPath, `${path}/`, [...trail, directoryPath]);
  else if (stats.isFile()) {
    const reason = unreadable(absolutePath, constants.R_OK);
    if (reason === null) scan.files.push(fileOf(path, absolutePath, stats));
    else scan.unreadable.push({ path, reason });
  } else scan.skipped.push({ path, reason: 'is not a regular file' });
}

/** Returns why a file or folder cannot be read, or null if it can. @param mode `R_OK`, for folders and `X_OK` */
function unreadable(path: string, mode: number): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'EACCES' ? 'cannot be read: permission denied' : `cannot be read: ${String(code)}`;
  }
}

function fileOf(path: string, absolutePath: string, stats: BigIntStats): ScannedFile {
  const { mtimeNs, ctimeNs, ino: inode } = stats;
  return { path, absolutePath, size: Number(stats.size), mtimeNs, ctimeNs, inode };
}

type LinkTarget = { path: string } | { reason: string; skip: boolean };

function followLink(root: string, link: string, trail: readonly string[]): LinkTarget {
  let path: string;
  try {
    path = realpathSync(link);
  } catch {
    return { reason: 'is a link to something that is not there', skip: false };
  }
  const inside = relative(root, path);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    return { reason: 'is a link that leaves the folder', skip: false };
  }
  if (trail.includes(path)) return { reason: 'is a link to a folder it is in', skip: false };
  // A link named `key.txt` must not publish `.env`.
  const hidden = inside.split(sep).some((segment) => segment !== '' && leftOutReason(segment) !== null);
  return hidden ? { reason: 'is a link to something that is not published', skip: true } : { path };
}
