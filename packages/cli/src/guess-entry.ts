import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scanFolder } from '@spaceport/client/node/scan';
import { onlyPage } from '@spaceport/contract/only-page';
import { printableLine } from './format.ts';
import type { Output } from './output.ts';
import type { Project } from './project.ts';

/**
 * Returns the project with the page that opens, and prints it: Godot, PICO-8 and Twine name the page after the
 * game. A folder that has an index.html further in is not taken for a game, but for a folder too many.
 */
export function withEntry(output: Output, project: Project): Project {
  const { folder, settings } = project;
  if (settings.entry !== undefined || existsSync(join(folder, 'index.html'))) return project;
  const paths = scanFolder(folder).files.map(({ path }) => path);
  const entry = onlyPage(paths);
  const isAtTop = entry !== undefined && !entry.includes('/');
  if (!isAtTop || paths.some((path) => path.endsWith('/index.html'))) return project;
  output.note(`There is no index.html: it opens with ${printableLine(entry)}, the only page.`);
  return { ...project, settings: { ...settings, entry } };
}
