import { defineConfig } from 'vite';
import { keptOutside } from './build/kept-outside.ts';
import { leanHttp } from './build/lean-http.ts';
import { leanPackages } from './build/lean-packages.ts';
import { plainText } from './build/plain-text.ts';
import { programs, sourceUrls } from './build/source-urls.ts';

/**
 * The server and what it starts beside itself, in a few files that need no types stripped and hardly anything looked up:
 * a start reads these instead of a thousand modules. Built by scripts/build.ts, which names the output folder.
 */
export default defineConfig({
  publicDir: false,
  plugins: [sourceUrls(), leanHttp(), leanPackages(), plainText()],
  ssr: {
    noExternal: true,
    external: keptOutside,
  },
  build: {
    ssr: true,
    // What is built holds other people's work, whose licences ask to be passed on with it.
    license: { fileName: 'licenses.md' },
    target: 'esnext',
    // Stacks name our functions, and their lines can be read. Comments would be read at each start.
    minify: false,
    rolldownOptions: {
      input: { main: 'src/main.ts', ...programs },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
    },
  },
});
