import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that this server runs from. */
export const checkout = fileURLToPath(new URL('../../../../../', import.meta.url));

/** What the built pages and the command line are made of, from the checkout's root. */
const inputs = [
  'package-lock.json',
  'packages/web/package.json',
  'packages/web/vite.config.ts',
  'packages/web/build/*.ts',
  'packages/web/src/**/*',
  'packages/client/src/**/*.ts',
  'packages/cli/package.json',
  'packages/cli/vite.config.ts',
  'packages/cli/bin/packed.mjs',
  'packages/cli/src/**/*.ts',
  'packages/contract/src/*.ts',
  'packages/sdk/vite.config.ts',
  'packages/sdk/src/*.ts',
];

/**
 * A name for the state of the pages' sources: two checkouts with equal sources give the same, any change gives another.
 * Reads contents, not dates, which a fresh clone or a copied image does not keep. A few milliseconds.
 */
export async function hashSources(root: string = checkout): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(inputs, { cwd: root, withFileTypes: true })) {
    if (entry.isFile() && !entry.name.endsWith('.test.ts')) files.push(join(entry.parentPath, entry.name));
  }
  const contents = await Promise.all(
    files.sort().map(async (file) => [file.slice(root.length), await readFile(file)] as const),
  );
  const hash = createHash('sha256');
  for (const [path, bytes] of contents) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}
