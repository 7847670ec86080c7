import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const server = fileURLToPath(new URL('..', import.meta.url));

/** How a module names one that runs in a thread or a process of its own. */
const programAddress = /new URL\('([^'\n]+)\.ts', import\.meta\.url\)/gu;

/** What runs in threads and processes of its own, by name: every module that another one knows the address of. */
export const programs: Readonly<Record<string, string>> = Object.fromEntries(
  globSync('src/**/*.ts', { cwd: server, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(join(server, file), 'utf8').matchAll(programAddress)].map(([, path = '']) => [
      basename(path),
      `${join(dirname(file), path)}.ts`,
    ]),
  ),
);

/**
 * Modules know files beside themselves by their own address. In the build that address is the one of the source, two
 * folders above; but what is a program has been built too, and stands beside.
 */
export function sourceUrls(): Plugin {
  return {
    name: 'spaceport:source-urls',
    // As it was written.
    enforce: 'pre',
    transform: {
      filter: { code: 'import.meta.url' },
      handler(code, id) {
        if (!id.startsWith(server) || id.includes('node_modules')) return null;
        const own = JSON.stringify(`../../${relative(server, id)}`);
        return code
          .replaceAll(
            programAddress,
            (_, path: string) => `new URL('./${basename(path)}.js', import.meta.url)`,
          )
          .replaceAll(/(?<!\.js', )import\.meta\.url/gu, `new URL(${own}, import.meta.url).href`);
      },
    },
  };
}
