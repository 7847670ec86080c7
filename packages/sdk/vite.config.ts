import { defineConfig } from 'vite';

/**
 * The module as the service serves it: one script, into which the server (packages/server/src/serving/module) writes where it
 * is served from. With `--mode package`, the module of the npm package. With the name of a portal, the script that stands in
 * for its SDK; with `gateways`, the one for portals' servers.
 */
export default defineConfig(({ mode }) => ({
  publicDir: false,
  build: {
    // Wherever a game of the last years runs.
    target: ['chrome87', 'firefox78', 'safari14'],
    modulePreload: { polyfill: false },
    lib:
      mode === 'package'
        ? { entry: 'src/index.ts', formats: ['es'], fileName: () => 'index.js' }
        : mode === 'production'
          ? { entry: 'src/sdk.ts', formats: ['iife'], name: 'SpaceportSdk', fileName: () => 'sdk.js' }
          : {
              entry: `src/shims/${mode}/entry.ts`,
              formats: ['iife'],
              name: 'SpaceportShim',
              fileName: () => 'shim.js',
            },
  },
}));
