import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type FieldGuess, guessFields as guessFrom } from '@spaceport/contract/guess-fields';
import { publishedText } from '@spaceport/contract/page-text';
import { namedFolder, projectOfBuild } from './build-folder.ts';

/**
 * Guesses listing fields from a folder on disk. What a build makes is named by its project: not “dist”.
 * @param entry the page that opens, if it is not index.html
 */
export function guessFields(folder: string, entry?: string): FieldGuess {
  const home = projectOfBuild(folder) ?? folder;
  return guessFrom({
    page: readText(join(folder, entry ?? 'index.html')),
    entry,
    manifest: readText(join(home, 'package.json')),
    name: basename(namedFolder(home)),
  });
}

function readText(path: string): string {
  try {
    return publishedText(readFileSync(path));
  } catch {
    return '';
  }
}
