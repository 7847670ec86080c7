import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const server = fileURLToPath(new URL('..', import.meta.url));

/** The expression with which a module names another one that runs in its own thread or process. */
const programAddress = /new URL\('([^'\n]+)\.ts', import\.meta\.url\)/gu;

/**
 * The modules that run in their own threads and processes, by name: all whose address another module
 * contains.
 */
export const programs: Readonly<Record<string, string>> = Object.fromEntries(
  globSync('src/**/*.ts', { cwd: server, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(join(server, file), 'utf8').matchAll(programAddress)].map(([, path = '']) => [
      basename(path),
      `${join(dirname(file), path)}.ts`,
    ]),
  ),
);

/**
 * Modules find files beside themselves by their own URL. In the build that URL is replaced by the URL of the
 * source, two folders above. Programs are built too, so their URLs stay beside the build.
 */
export function sourceUrls(): Plugin {
  return {
    name: 'spaceport:source-urls',
    // Before other plugins, so that it sees the source as it was written.
    enforce: 'pre',
    transform: {
      filter: { code: 'import.meta.url' },
      handler(code, id) {
        if (!id.startsWith(server) || id.includes('node_modules')) return null;
        const own = JSON.stringify(`../../${relative(server, id)}`);
        return code
          .replaceAll(
            programAddress,
            (_, path: string) => `new URL('./${basename(path)}.cjs', import.meta.url)`,
          )
          .replaceAll(/(?<!\.cjs', )import\.meta\.url/gu, `new URL(${own}, import.meta.url).href`);
      },
    },
  };
}
