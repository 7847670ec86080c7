import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type FieldGuess, guessFields as guessFrom } from '@spaceport/contract/guess-fields';

/** Guesses listing fields from a folder on disk. */
export function guessFields(folder: string): FieldGuess {
  return guessFrom({
    page: readText(join(folder, 'index.html')),
    manifest: readText(join(folder, 'package.json')),
    name: basename(folder),
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
