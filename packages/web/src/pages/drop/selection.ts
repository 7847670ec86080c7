import { leftOutReason, type PathNote } from '@spaceport/contract/left-out';
import { pathConflicts, pathProblem } from '@spaceport/contract/paths';
import { maxFiles } from '@spaceport/contract/versions';

/** A dropped file. Its path is relative to the top of the drop, `/`-separated. */
export interface DroppedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** A dropped file to publish, with its published path. */
export interface ChosenFile<File extends DroppedFile> {
  readonly path: string;
  readonly from: File;
}

/** The files of a drop that are to be published. */
export interface Selection<File extends DroppedFile> {
  /** The name of the published folder for its creator: «my-game», «my-game/dist». */
  readonly name: string;
  /** The path of the folder in the drop: empty, or ends in a slash. */
  readonly root: string;
  readonly files: readonly ChosenFile<File>[];
  readonly bytes: number;
  /** Files and folders that the rules leave out. A folder is listed once, without its files. */
  readonly leftOut: readonly PathNote[];
  /** Problems that must be fixed before it can be published. */
  readonly problems: readonly PathNote[];
  /** The service.json beside the files or in a folder above. */
  readonly settings: File | null;
  /** The package.json among the files. */
  readonly manifest: File | null;
}

/**
 * Chooses the dropped files to publish, by the rules of the command line: service.json, dotfiles, dot-folders
 * and node_modules are left out. If everything is in one folder, as in many zips, the content of that folder
 * is published.
 * @param root publishes this folder of the drop, as named by `foldersWith`
 */
export function select<File extends DroppedFile>(
  dropped: readonly File[],
  droppedName: string,
  root?: string,
): Selection<File> {
  const leftOut = new Map<string, PathNote>();
  const kept: File[] = [];
  for (const file of dropped) {
    const note = leftOutNote(file.path);
    if (note) leftOut.set(note.path, note);
    else kept.push(file);
  }
  const top = root ?? onlyFolder(kept.map(({ path }) => path));
  const files = kept
    .filter(({ path }) => path.startsWith(top))
    .map((from) => ({ path: from.path.slice(top.length).normalize('NFC'), from }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    name: nameOf(top, droppedName),
    root: top,
    files,
    bytes: files.reduce((sum, { from }) => sum + from.size, 0),
    leftOut: [...leftOut.values()].filter(({ path }) => path.startsWith(top)),
    problems: problemsOf(
      files.map(({ path }) => path),
      nameOf(top, droppedName),
    ),
    settings: nearestSettings(dropped, top),
    manifest: files.find(({ path }) => path === 'package.json')?.from ?? null,
  };
}

function leftOutNote(path: string): PathNote | null {
  const segments = path.split('/');
  for (const [depth, segment] of segments.entries()) {
    const reason = leftOutReason(segment);
    if (reason === null) continue;
    const isFolder = depth < segments.length - 1;
    return { path: segments.slice(0, depth + 1).join('/') + (isFolder ? '/' : ''), reason };
  }
  return null;
}

/**
 * Returns the nested folders that contain everything: `my-game/`, `outer/inner/`; empty if there are none.
 */
function onlyFolder(paths: readonly string[]): string {
  let top = '';
  for (;;) {
    const first = paths[0]?.indexOf('/', top.length) ?? -1;
    if (first < 0) return top;
    const deeper = paths[0]?.slice(0, first + 1) ?? '';
    if (!paths.every((path) => path.startsWith(deeper))) return top;
    top = deeper;
  }
}

function nameOf(top: string, droppedName: string): string {
  return top === '' ? droppedName.replace(/\.zip$/iu, '') : top.slice(0, -1);
}

function problemsOf(paths: readonly string[], name: string): PathNote[] {
  const problems: PathNote[] = [];
  for (const path of paths) {
    const reason = pathProblem(path);
    if (reason !== null) problems.push({ path, reason });
  }
  problems.push(...pathConflicts(paths));
  if (paths.length > maxFiles) problems.push(tooMany(paths, name));
  return problems;
}

/** Describes too many files by their folders: usually sources or a tool's cache were dropped too. */
function tooMany(paths: readonly string[], name: string): PathNote {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const slash = path.indexOf('/');
    const folder = slash < 0 ? 'no folder' : path.slice(0, slash + 1);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const where = most.map(([folder, count]) => `${count.toLocaleString('en')} in ${folder}`).join(', ');
  return {
    path: name,
    reason: `has ${paths.length.toLocaleString('en')} files, and a version may have ${maxFiles.toLocaleString('en')} (${where}); drop only the folder with the finished build`,
  };
}

/** Returns the service.json at the top of the published folder, or in a folder above. */
function nearestSettings<File extends DroppedFile>(dropped: readonly File[], top: string): File | null {
  const folders = top.split('/').slice(0, -1);
  for (let depth = folders.length; depth >= 0; depth--) {
    const path = [...folders.slice(0, depth), 'service.json'].join('/');
    const found = dropped.find((file) => file.path === path);
    if (found) return found;
  }
  return null;
}

/**
 * Returns folders below the top that have a page of this name: the shallowest ones, at most five. They were
 * probably meant if the top has no such page. They are valid as `root` of `select`.
 */
export function foldersWith<File extends DroppedFile>(
  { files, root }: Selection<File>,
  page: string,
): string[] {
  const folders = files
    .filter(({ path }) => path.endsWith(`/${page}`))
    .map(({ path }) => path.slice(0, -page.length));
  const least = Math.min(...folders.map(depthOf));
  return folders
    .filter((folder) => depthOf(folder) === least)
    .slice(0, 5)
    .map((folder) => root + folder);
}

const depthOf = (folder: string) => folder.split('/').length;

const builds = ['dist/', 'build/', 'out/', 'public/', 'export/', 'www/'];

/** Returns the build output folder of a project that was dropped with its sources. */
export function buildFolder<File extends DroppedFile>(
  { files, manifest, root }: Selection<File>,
  page: string,
): string | null {
  if (!manifest) return null;
  const found = builds.find((folder) => files.some(({ path }) => path === folder + page));
  return found === undefined ? null : root + found;
}
