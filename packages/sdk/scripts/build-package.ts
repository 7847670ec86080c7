/**
 * Builds the module and its types into dist, so that the package needs no other package. `npm pack` runs this
 * first.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = join(folder, 'dist');
const require = createRequire(import.meta.url);
const program = (name: string, path: string) => join(dirname(require.resolve(`${name}/package.json`)), path);
const run = (path: string, ...flags: string[]) =>
  execFileSync(process.execPath, [path, ...flags], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

run(
  program('vite', 'bin/vite.js'),
  'build',
  '--configLoader',
  'native',
  '--mode',
  'package',
  '--outDir',
  dist,
);

/** The path of each declaration file that the compiler writes, with its name in the package. */
const declarations = {
  'sdk/src/index': 'index',
  'sdk/src/types': 'types',
  'contract/src/sdk-protocol': 'protocol',
  'contract/src/made': 'made',
};
const emitted = await mkdtemp(join(tmpdir(), 'spaceport-types-'));
try {
  const flags =
    '--declaration --emitDeclarationOnly --strict --skipLibCheck --target esnext --module nodenext --lib esnext,dom --types --allowImportingTsExtensions --verbatimModuleSyntax';
  run(
    program('typescript', 'bin/tsc'),
    '--ignoreConfig',
    // Names every file, because the compiler may not write declarations of files that it finds only through a
    // package.
    ...Object.keys(declarations).map((path) => join(folder, '..', `${path}.ts`)),
    ...flags.split(' '),
    ...['--rootDir', join(folder, '..'), '--outDir', emitted],
  );
  for (const [from, to] of Object.entries(declarations)) {
    const text = await readFile(join(emitted, `${from}.d.ts`), 'utf8');
    const named = text
      .replaceAll('@spaceport/contract/sdk-protocol', './protocol.js')
      .replaceAll('./sdk-protocol.ts', './protocol.js')
      .replaceAll('./made.ts', './made.js')
      .replaceAll('./types.ts', './types.js');
    await writeFile(join(dist, `${to}.d.ts`), named);
  }
} finally {
  await rm(emitted, { recursive: true, force: true });
}
// Declares the global `Spaceport`, for pages that use the service's module.
await writeFile(
  join(dist, 'global.d.ts'),
  `declare global {\n  var Spaceport: import('./types.js').Spaceport;\n}\nexport {};\n`,
);
