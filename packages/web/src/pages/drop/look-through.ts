import { type FieldGuess, guessFields } from '@spaceport/client/guess-fields';
import type { LocalFile } from './collect.ts';
import type { OpenFolder } from './open-folder.ts';
import { buildFolder, foldersWith, type Selection, select } from './selection.ts';
import { type FolderSettings, noSettings, readSettings } from './settings-file.ts';

/** What is known of a dropped folder before it is hashed. */
export interface Look {
  readonly selection: Selection<LocalFile>;
  readonly settings: FolderSettings;
  /** Listing fields: what service.json says, else what the folder tells. */
  readonly guess: FieldGuess;
  /** The page that opens. */
  readonly entry: string;
  /** What keeps it from being published, in sentences. */
  readonly problems: readonly string[];
  /** Folders of it that were probably meant instead, as roots. */
  readonly elsewhere: readonly string[];
  /** Pages at the top that could be the one that opens, where there is no entry. */
  readonly otherPages: readonly string[];
}

export interface LookChoice {
  /** Publish this folder of what was dropped. */
  readonly root?: string | undefined;
  /** Open with this page. */
  readonly entry?: string | undefined;
}

/** Chooses what of a dropped folder is published, and reads what it tells of itself. */
export async function lookThrough(folder: OpenFolder, choice: LookChoice): Promise<Look> {
  const selection = select(folder.files, folder.name, choice.root);
  const problems = selection.problems.map(({ path, reason }) => `${path} ${reason}.`);
  let settings = noSettings;
  try {
    const text = await folder.text(selection.settings);
    if (text !== '') settings = readSettings(text);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  const entry = choice.entry ?? settings.declarations.entry ?? 'index.html';
  const page = selection.files.find(({ path }) => path === entry)?.from ?? null;
  const guess = guessFields({
    page: await folder.text(page),
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
  if (files.length > 0) return `There is no ${entry} at the top, the page that opens.`;
  return leftOut.length > 0
    ? 'Everything in it is left out: files and folders whose names begin with a dot, and node_modules, are not published.'
    : 'There are no files in it.';
}

function buildFolderOf(selection: Selection<LocalFile>, entry: string): string[] {
  const found = buildFolder(selection, entry);
  return found === null ? [] : [found];
}

function pagesOf({ files }: Selection<LocalFile>): string[] {
  return files.map(({ path }) => path).filter((path) => /^[^/]+\.html?$/iu.test(path));
}
