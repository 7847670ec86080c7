// Runs several builds in one process: `bundle.mjs '[{"workspace": "cli", "outDir": "…"}]'`. Loading the bundler
// takes longer than most of the builds.
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const packages = fileURLToPath(new URL('../..', import.meta.url));

for (const { workspace, outDir, ssr, mode } of JSON.parse(process.argv[2] ?? '[]')) {
  const root = join(packages, workspace);
  // Some plugins resolve paths from the working directory.
  process.chdir(root);
  try {
    await build({
      root,
      configLoader: 'native',
      logLevel: 'warn',
      ...(mode === undefined ? {} : { mode }),
      build: { outDir, ...(ssr === undefined ? {} : { ssr }) },
    });
  } catch (error) {
    console.error(`packages/${workspace} could not be built:`);
    throw error;
  }
}
