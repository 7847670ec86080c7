import { defineConfig } from 'vite';
import { contractData } from './build/contract-data.ts';

/** Run by the server (packages/server/src/pages/built), which names the output folder and reads the manifest. */
export default defineConfig(({ isSsrBuild }) => ({
  appType: 'custom',
  publicDir: false,
  plugins: [contractData()],
  oxc: { jsx: { runtime: 'automatic' } },
  // In pieces, as pages are: what reads zips is loaded by who drops one.
  worker: { format: 'es' },
  // Nothing of it is looked up in node_modules, and React is the one of production wherever it runs.
  ...(isSsrBuild
    ? { ssr: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
  build: {
    manifest: isSsrBuild !== true,
    modulePreload: { polyfill: false },
    // Our policy allows no data: addresses.
    assetsInlineLimit: 0,
    assetsDir: 'assets',
    // What is built holds other people's work, whose licences ask to be passed on with it.
    license: { fileName: 'licenses.md' },
    target: ['chrome111', 'firefox128', 'safari17.5'],
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: [
            'src/entry-client.tsx',
            'src/early.ts',
            'src/styles/index.css',
            'src/reference/reference.ts',
          ],
        },
  },
}));
