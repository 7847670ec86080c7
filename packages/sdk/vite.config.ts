import { defineConfig, type LibraryOptions } from 'vite';

/** The builds, by the mode that selects them. Any other mode builds a shim. */
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
 * The names that games have for things of their own, as in `var Map = …` for a level, and that the module needs after
 * them. Its first script takes them before the game begins, and keeps them for the second one.
 */
const names = '{ Map, Proxy, Set, TextEncoder, URL, WeakMap, WeakSet }';
const kept = `[Symbol.for('spaceport.names')]`;
const intros: Readonly<Record<string, string>> = {
  production: `const its = globalThis, ${names} = its; its${kept} = ${names};`,
  together: `const ${names} = globalThis${kept} ?? globalThis;`,
};

/**
 * Builds the module as the service serves it: one script, into which the server
 * (packages/server/src/serving/module) writes its address. `--mode together` builds the second script, which
 * the first one loads. `--mode package` builds the module of the npm package, which contains both. The name
 * of a portal as mode builds the shim for its SDK, and `gateways` builds the shim for portals' servers.
 */
export default defineConfig(({ mode }) => ({
  publicDir: false,
  build: {
    // Browsers of 2020 and later.
    target: ['chrome87', 'firefox78', 'safari14'],
    modulePreload: { polyfill: false },
    lib: libraries[mode] ?? shim(mode),
    rolldownOptions: {
      // Vite leaves the white space of a module in, for bundlers. Browsers get the second script as it is.
      output: {
        codeSplitting: false,
        intro: intros[mode] ?? '',
        ...(mode === 'together' && { minify: true }),
      },
    },
  },
}));
