import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/**
 * Builds the command as one file that needs only Node, with the other files of its package. The server runs
 * this build (packages/server/src/pages/built), names the output folder and adds the service's address.
 */
export default defineConfig({
  publicDir: false,
  plugins: [packageAround('spaceport.mjs')],
  ssr: { noExternal: true },
  resolve: {
    alias: {
      '@modelcontextprotocol/server/_shims': fileURLToPath(new URL('src/mcp/shims.ts', import.meta.url)),
    },
  },
  build: {
    ssr: 'src/main.ts',
    target: 'node20.12',
    // The bundle contains other projects' code. Their licences must be distributed with it.
    license: { fileName: 'licenses.md' },
    // Not minified, so that users can read it before they run it.
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'spaceport.mjs', codeSplitting: false } },
  },
});

function packageAround(bundle: string): Plugin {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  return {
    name: 'spaceport:package',
    generateBundle() {
      const { name, version, license, type } = JSON.parse(read('package.json'));
      const manifest = {
        name,
        version,
        description: 'Publishes web games and other web apps to a Spaceport service.',
        license,
        type,
        bin: { spaceport: 'start.mjs' },
        files: ['start.mjs', bundle, 'origin.json', 'licenses.md'],
        engines: { node: '>=20.12' },
      };
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
      emit('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
      emit('start.mjs', read('bin/packed.mjs'));
    },
  };
}
