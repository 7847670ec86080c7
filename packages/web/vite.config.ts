import { defineConfig } from 'vite';
import { contractData } from './build/contract-data.ts';

/**
 * The server runs this build (packages/server/src/pages/built), names the output folder and reads the
 * manifest.
 */
export default defineConfig(({ isSsrBuild }) => ({
  appType: 'custom',
  publicDir: false,
  plugins: [contractData()],
  oxc: { jsx: { runtime: 'automatic' } },
  // As modules, so that code for zips is loaded only when a zip is dropped.
  worker: { format: 'es' },
  // Bundles all dependencies, and always uses the production build of React.
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
