import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type FieldGuess, guessFields as guessFrom } from '@spaceport/contract/guess-fields';
import { projectOfBuild } from './build-folder.ts';

/** Guesses listing fields from a folder on disk. What a build makes is named by its project: not “dist”. */
export function guessFields(folder: string): FieldGuess {
  const home = projectOfBuild(folder) ?? folder;
  return guessFrom({
    page: readText(join(folder, 'index.html')),
    manifest: readText(join(home, 'package.json')),
    name: basename(home),
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
