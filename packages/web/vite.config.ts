import { defineConfig } from 'vite';
import { contractData } from './build/contract-data.ts';
import { latePartsAtOnce } from './build/late-parts.ts';
import { pageEntries, startPages } from './build/page-entries.ts';

/**
 * What every page needs, or every page of players, as one script: it is kept from page to page, and compresses
 * better than a dozen small ones.
 */
const base =
  /\/node_modules\/preact\/|vite\/preload-helper|\/contract\/src\/(?:labels|picture-of)\.ts$|\/web\/src\/(?:start-page|app\/[\w-]+|data\/caller|ui\/(?:avatar|class-names|failed-state|plain-errors|surfaces|tags|text|toast))\.tsx?$/u;

/**
 * The small parts that a space's page shares with a few other pages, as one script too: a script of its own
 * costs 450 bytes more, most of them the head of its answer.
 */
const player =
  /\/contract\/src\/(?:player|player-progress|saves|storage-mirror)\.ts$|\/web\/src\/(?:stage\/guest-key|ui\/(?:covers|describe-browser|frame|game-keys|refused-storage))\.tsx?$/u;

/**
 * The server runs this build (packages/server/src/pages/built), names the output folder and reads the
 * manifest.
 */
export default defineConfig(({ isSsrBuild }) => ({
  appType: 'custom',
  publicDir: false,
  plugins: [contractData(), startPages(), latePartsAtOnce()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // As modules, so that code for zips is loaded only when a zip is dropped.
  worker: { format: 'es' },
  // Bundles all dependencies, and always uses the production build of each.
  ...(isSsrBuild
    ? { ssr: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
  build: {
    manifest: isSsrBuild !== true,
    modulePreload: { polyfill: false },
    // The pages' content security policy forbids data: addresses.
    assetsInlineLimit: 0,
    assetsDir: 'assets',
    // The bundle contains other projects' code. Their licences must be distributed with it.
    license: { fileName: 'licenses.md' },
    // For syntax and styles. For what scripts call, docs/compatibility.md names the browsers (test/built-scripts.test.ts).
    target: ['chrome111', 'firefox128', 'safari17.5'],
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: {
            ...pageEntries(import.meta.dirname),
            early: 'src/early.ts',
            styles: 'src/styles/index.css',
            reference: 'src/reference/reference.ts',
          },
          output: {
            codeSplitting: {
              groups: [
                { name: 'base', test: base },
                { name: 'player', test: player },
              ],
            },
          },
        },
  },
}));
