import { defineConfig, type LibraryOptions } from 'vite';

/** What is built, by the mode that says so. */
const libraries: Readonly<Record<string, LibraryOptions>> = {
  production: { entry: 'src/sdk.ts', formats: ['iife'], name: 'SpaceportSdk', fileName: () => 'sdk.js' },
  together: { entry: 'src/together.ts', formats: ['es'], fileName: () => 'sdk-together.js' },
  package: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'index.js' },
};

const shim = (portal: string): LibraryOptions => ({
  entry: `src/shims/${portal}/entry.ts`,
  formats: ['iife'],
  name: 'SpaceportShim',
  fileName: () => 'shim.js',
});

/**
 * The module as the service serves it: one script, into which the server (packages/server/src/serving/module) writes where it is
 * served from. With `--mode together`, the second script, which that one loads. With `--mode package`, the module of the npm
 * package, which is both. With the name of a portal, the script that stands in for its SDK; with `gateways`, the one for
 * portals' servers.
 */
export default defineConfig(({ mode }) => ({
  publicDir: false,
  build: {
    // Wherever a game of the last years runs.
    target: ['chrome87', 'firefox78', 'safari14'],
    modulePreload: { polyfill: false },
    lib: libraries[mode] ?? shim(mode),
    rolldownOptions: { output: { codeSplitting: false } },
  },
}));
