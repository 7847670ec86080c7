import { defineConfig } from 'vite';
import { keptOutside } from './build/kept-outside.ts';
import { leanPackages } from './build/lean-packages.ts';
import { plainText } from './build/plain-text.ts';
import { programs, sourceUrls } from './build/source-urls.ts';

/**
 * Builds the server and its programs into a few files without types, so that a start reads these instead of a
 * thousand modules. scripts/build.ts runs it and names the output folder.
 */
export default defineConfig({
  publicDir: false,
  plugins: [sourceUrls(), leanPackages(), plainText()],
  ssr: {
    noExternal: true,
    external: keptOutside,
  },
  build: {
    ssr: true,
    // The build contains other people's code, whose licences must be distributed with it.
    license: { fileName: 'licenses.md' },
    target: 'esnext',
    // Not minified, so that stack traces have our function names and readable lines. Comments are left out:
    // each start would read them.
    minify: false,
    rolldownOptions: {
      input: { ...programs, main: 'src/built-server/main.ts', server: 'src/main.ts' },
      output: {
        format: 'cjs',
        strict: true,
        entryFileNames: '[name].cjs',
        chunkFileNames: '[name]-[hash].cjs',
        comments: false,
      },
    },
  },
});
