import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { checkout } from '../built/sources.ts';

/** The placeholder in the files of docs/ for the address of the service that serves them. */
const addressInFiles = 'https://spaceport.example';

/** Path on the service → file in docs/ of the checkout. */
export const docFiles: Readonly<Record<string, string>> = {
  '/llms.txt': 'agents/llms.md',
  '/skill.md': 'agents/skill.md',
  '/docs/publish.md': 'publish.md',
  '/docs/players.md': 'players.md',
  '/docs/storage.md': 'storage.md',
  '/docs/player-errors.md': 'player-errors.md',
  '/docs/shims.md': 'shims.md',
  '/docs/portal-calls.md': 'portal-calls.md',
  '/docs/engines.md': 'engines.md',
  '/docs/boards.md': 'boards.md',
  '/docs/game-servers.md': 'game-servers.md',
  '/docs/rooms.md': 'rooms.md',
  '/docs/content.md': 'content.md',
  '/docs/webhooks.md': 'webhooks.md',
  '/docs/engines/bevy.md': 'engines/bevy.md',
  '/docs/engines/construct.md': 'engines/construct.md',
  '/docs/engines/ebitengine.md': 'engines/ebitengine.md',
  '/docs/engines/gdevelop.md': 'engines/gdevelop.md',
  '/docs/engines/godot.md': 'engines/godot.md',
  '/docs/engines/javascript.md': 'engines/javascript.md',
  '/docs/engines/phaser.md': 'engines/phaser.md',
  '/docs/engines/pixi.md': 'engines/pixi.md',
  '/docs/engines/three.md': 'engines/three.md',
  '/docs/engines/unity.md': 'engines/unity.md',
};

/**
 * Reads a file for serving: with the service's own address in every line.
 * @param file relative to docs/
 * @param served path on the service → file, of all files that are served
 */
export async function readDoc(
  file: string,
  app: string,
  served: Readonly<Record<string, string>>,
): Promise<string> {
  const text = await readFile(join(checkout, 'docs', file), 'utf8');
  // In a program, brackets before parentheses are no link.
  const linked = file.endsWith('.md') ? withServedLinks(file, text, app, served) : text;
  return linked.replaceAll(addressInFiles, app);
}

/**
 * Rewrites links between the files to their served addresses. Links to other files of the repository become
 * text.
 */
function withServedLinks(
  file: string,
  text: string,
  app: string,
  served: Readonly<Record<string, string>>,
): string {
  const paths = new Map(Object.entries(served).map(([path, name]) => [name, path]));
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/gu, (link, words: string, target: string) => {
    if (/^(?:https?:|#)/u.test(target)) return link;
    const path = paths.get(posix.join(posix.dirname(file), target));
    return path === undefined ? words : `[${words}](${app}${path})`;
  });
}
