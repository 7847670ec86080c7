import { type FieldGuess, guessFields } from '@spaceport/contract/guess-fields';
import type { LocalFile } from './collect.ts';
import type { OpenFolder } from './open-folder.ts';
import { buildFolder, foldersWith, type Selection, select } from './selection.ts';
import { type FolderSettings, noSettings, readSettings } from './settings-file.ts';

/** The facts about a dropped folder before it is hashed. */
export interface Look {
  readonly selection: Selection<LocalFile>;
  readonly settings: FolderSettings;
  /** Listing fields from service.json, or guessed from the folder. */
  readonly guess: FieldGuess;
  /** Path of the entry page. */
  readonly entry: string;
  /** Problems that prevent publishing, as sentences. */
  readonly problems: readonly string[];
  /** Folders in the drop that were probably meant instead, as roots. */
  readonly elsewhere: readonly string[];
  /** Pages at the top that could be the entry, if there is none. */
  readonly otherPages: readonly string[];
}

export interface LookChoice {
  /** Publishes this folder of the drop. */
  readonly root?: string | undefined;
  /** Uses this page as the entry. */
  readonly entry?: string | undefined;
}

/** Chooses the files of a drop that are published, and reads its descriptions. */
export async function lookThrough(folder: OpenFolder, choice: LookChoice): Promise<Look> {
  const selection = select(folder.files, folder.name, choice.root);
  const problems = selection.problems.map(({ path, reason }) => `${path} ${reason}.`);
  let settings = noSettings;
  try {
    const bytes = await folder.bytes(selection.settings);
    if (bytes.length > 0) settings = readSettings(bytes);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  const entry = choice.entry ?? settings.declarations.entry ?? 'index.html';
  const page = selection.files.find(({ path }) => path === entry)?.from ?? null;
  const guess = guessFields({
    page: await folder.text(page),
    entry,
    manifest: await folder.text(selection.manifest),
    name: selection.name.split('/').at(-1) ?? selection.name,
  });
  if (page === null) problems.push(noEntry(selection, entry));
  return {
    selection,
    settings,
    guess,
    entry,
    problems,
    elsewhere: page === null ? foldersWith(selection, entry) : buildFolderOf(selection, entry),
    otherPages: page === null ? pagesOf(selection) : [],
  };
}

function noEntry({ files, leftOut }: Selection<LocalFile>, entry: string): string {
  if (files.length > 0) return `There is no ${entry} at the top, the page that opens.${exportAdvice(files)}`;
  return leftOut.length > 0
    ? 'Everything in it is left out: files and folders whose names begin with a dot, and node_modules, are not published.'
    : 'This folder has no files.';
}

/** Files of an engine's editor, which run only in that editor. */
const projects: readonly (readonly [RegExp, string])[] = [
  [
    /(?:^|\/)project\.godot$/u,
    'This is a Godot project: export it with the preset «Web», and drop that folder.',
  ],
  [
    /(?:^|\/)ProjectSettings\/ProjectVersion\.txt$/u,
    'This is a Unity project: build it for «Web» (WebGL), and drop that build.',
  ],
  [/\.yyp$/u, 'This is a GameMaker project: create an executable for «HTML5» or «GX.games», and drop that.'],
  [/\.(?:c3p|capx)$/u, 'This is a Construct project: export it as «Web (HTML5)», and drop that.'],
  [/\.rbxlx?$/u, 'This is a Roblox place, which runs in Roblox alone.'],
  [/(?:^|\/)[^/]+\.uproject$/u, 'This is an Unreal project, which browsers do not run.'],
  [
    /\.(?:exe|app|apk|dmg)$/iu,
    'This looks like a build for one system: export it for the web (HTML5), and drop that.',
  ],
  [
    /(?:^|\/)package\.json$/u,
    'This looks like the sources of a page: build it (often «npm run build»), and drop the folder that makes, often dist.',
  ],
];

function exportAdvice(files: readonly { path: string }[]): string {
  const found = projects.find(([pattern]) => files.some(({ path }) => pattern.test(path)));
  return found ? ` ${found[1]}` : '';
}

function buildFolderOf(selection: Selection<LocalFile>, entry: string): string[] {
  const found = buildFolder(selection, entry);
  return found === null ? [] : [found];
}

function pagesOf({ files }: Selection<LocalFile>): string[] {
  return files.map(({ path }) => path).filter((path) => /^[^/]+\.html?$/iu.test(path));
}
