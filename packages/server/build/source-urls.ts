import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const server = fileURLToPath(new URL('..', import.meta.url));

/** What runs in threads and processes of its own. */
const programFiles = [
  'src/checks/rules/reading/facts-worker.ts',
  'src/clips/picture-program.ts',
  'src/platform/browser/thread/browser-thread.ts',
  'src/telemetry/source-map-thread.ts',
];

export const programs: Readonly<Record<string, string>> = Object.fromEntries(
  programFiles.map((file) => [basename(file, '.ts'), file]),
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
          .replaceAll(/'([^'\n]+)\.ts', import\.meta\.url/gu, (whole, path: string) => {
            const name = basename(path);
            return name in programs ? `'./${name}.js', import.meta.url` : whole;
          })
          .replaceAll(/(?<!\.js', )import\.meta\.url/gu, `new URL(${own}, import.meta.url).href`);
      },
    },
  };
}
