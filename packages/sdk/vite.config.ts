import { defineConfig } from 'vite';

/**
 * The module as the service serves it: one script, into which the server (packages/server/src/sdk) writes where it is
 * served from. With `--mode package`, the module of the npm package.
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
        : { entry: 'src/sdk.ts', formats: ['iife'], name: 'SpaceportSdk', fileName: () => 'sdk.js' },
  },
}));
