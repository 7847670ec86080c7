import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashFiles } from '../../../bin/hash-files.mjs';

/** The checkout that this server runs from. */
export const checkout = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The sources of the pages, the command line and the module, relative to the checkout's root. */
const inputs = [
  'package-lock.json',
  'packages/web/package.json',
  'packages/web/vite.config.ts',
  'packages/web/build',
  'packages/web/src',
  'packages/client/src',
  'packages/cli/package.json',
  'packages/cli/vite.config.ts',
  'packages/cli/bin/packed.mjs',
  'packages/cli/src',
  'packages/contract/src',
  'packages/sdk/vite.config.ts',
  'packages/sdk/src',
];

/** Returns a hash of the current sources, which is the name of their build. */
export function hashSources(root: string = checkout): string {
  return hashFiles(root, inputs, join(root, 'packages/web/dist/.stamp'));
}
