import { leftOutReason, type PathNote } from '@spaceport/contract/left-out';
import { pathConflicts, pathProblem } from '@spaceport/contract/paths';
import { maxFiles } from '@spaceport/contract/versions';

/** A file as it was dropped: its path from the top of what was dropped, `/`-separated. */
export interface DroppedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** A dropped file that is to be published, and the path it has there. */
export interface ChosenFile<File extends DroppedFile> {
  readonly path: string;
  readonly from: File;
}

/** What is to be published of what was dropped. */
export interface Selection<File extends DroppedFile> {
  /** The folder that is published, as its creator would name it: «my-game», «my-game/dist». */
  readonly name: string;
  /** Where it begins in what was dropped: empty, or ends in a slash. */
  readonly root: string;
  readonly files: readonly ChosenFile<File>[];
  readonly bytes: number;
  /** What is left out by rule; a folder stands for everything in it. */
  readonly leftOut: readonly PathNote[];
  /** What must be mended before it can be published. */
  readonly problems: readonly PathNote[];
  /** The service.json beside or above the files. */
  readonly settings: File | null;
  /** The package.json among the files. */
  readonly manifest: File | null;
}

/**
 * Chooses what of the dropped files is published, by the rules of the command line: service.json, dotfiles, dot-folders
 * and node_modules are left out. A folder that is all there is stands for what is in it, as with a zip of one folder.
 * @param root publishes this folder of what was dropped, as `foldersWith` names them
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

/** The folders, one in the other, that everything is in: `my-game/`, `outer/inner/`; empty if there is none. */
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

/** Says where they are: a folder of sources or of a tool's cache was dropped with the rest, as a rule. */
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

/** service.json at the top of what is published, or in a folder that it is in. */
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
 * Folders below the top that have a page of this name, the shallowest ones, of those at most five: what was probably
 * meant where the top has none. As `root`s of `select`.
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

/** The folder that a project's tools build into, where the project was dropped with its sources. */
export function buildFolder<File extends DroppedFile>(
  { files, manifest, root }: Selection<File>,
  page: string,
): string | null {
  if (!manifest) return null;
  const found = builds.find((folder) => files.some(({ path }) => path === folder + page));
  return found === undefined ? null : root + found;
}
