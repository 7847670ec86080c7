import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { homeFolder } from './home-folder.ts';

/** Names that build tools give the folder of their output, in lower case: Unity's is `Builds/WebGL`. */
const outputNames = new Set(
  '_site build builds dist export exports out output .output public release www'.split(' '),
);
/** Names of a folder in such a folder, for one of several outputs. */
const partNames = new Set('browser client html5 public spa web webgl www'.split(' '));
/** Names that say just as little, of folders that no build empties: GitHub Pages shows “docs”. */
const otherNames = new Set('docs html'.split(' '));
/** Files and folders that mark the folder of a project. */
const projectMarks = [
  '.git',
  'package.json',
  'deno.json',
  'Cargo.toml',
  'go.mod',
  'pubspec.yaml',
  'project.godot',
  'ProjectSettings',
  'Makefile',
  'CMakeLists.txt',
];

/**
 * Returns the project whose build makes a folder, or undefined if the folder does not look like the output of
 * a build. A build tool empties its output folder, so nothing that has to last is written there. Both the
 * name and the project above it are needed: two folders of games side by side must not share a service.json.
 * @param folder an absolute path
 */
export function projectOfBuild(folder: string): string | undefined {
  if (hasMark(folder)) return undefined;
  const output = outputWith(folder);
  if (output === undefined) return undefined;
  const project = dirname(output);
  return hasMark(project) ? project : undefined;
}

/** Returns the folder of a build's output that a folder is or is a part of, or undefined by its name. */
function outputWith(folder: string): string | undefined {
  const parent = dirname(folder);
  if (partNames.has(nameOf(folder))) {
    if (isOutput(parent)) return parent;
    // Angular's is dist/NAME/browser. Of several applications in one dist, each keeps its own service.json.
    const above = dirname(parent);
    if (isOutput(above) && foldersIn(above) === 1) return above;
  }
  return isOutput(folder) ? folder : undefined;
}

function foldersIn(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).length;
  } catch {
    return 0;
  }
}

/**
 * Returns the folder whose name says what is in it: that of “Moon/docs” is “Moon”. The folder itself if none above
 * does, as in a home folder.
 */
export function namedFolder(folder: string): string {
  let named = folder;
  while (isOutput(named) || partNames.has(nameOf(named)) || otherNames.has(nameOf(named))) {
    named = dirname(named);
    if (named === homeFolder() || named === tmpdir() || dirname(named) === named) return folder;
  }
  return named;
}

function isOutput(folder: string): boolean {
  return outputNames.has(nameOf(folder));
}

function nameOf(folder: string): string {
  return basename(folder).toLowerCase();
}

function hasMark(folder: string): boolean {
  return projectMarks.some((mark) => existsSync(join(folder, mark)));
}
