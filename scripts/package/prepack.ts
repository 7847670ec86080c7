/**
 * `npm pack` of packages/contract, client or cli runs this first, in the package's folder. It writes
 * JavaScript for Node 20 with types into dist, and a package.json that points at them.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { emitModules } from './emit-modules.ts';
import { putPacked, readManifest } from './manifest.ts';

const folder = process.cwd();
const name = basename(folder);
const dist = join(folder, 'dist');
const { dependencies = {}, ...manifest } = readManifest(folder);
const { version, license, type } = manifest;
const common = { name: manifest.name, version, license, type, engines: { node: '>=20.12' } };

rmSync(dist, { recursive: true, force: true });
if (name === 'cli') {
  const vite = join(
    dirname(createRequire(join(folder, 'package.json')).resolve('vite/package.json')),
    'bin/vite.js',
  );
  execFileSync(
    process.execPath,
    [vite, 'build', '--configLoader', 'native', '--logLevel', 'warn', '--outDir', dist],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  putPacked(folder, {
    ...common,
    description: 'Publishes web games and other web apps to a Spaceport service.',
    bin: { spaceport: 'dist/start.mjs' },
    files: ['dist/start.mjs', 'dist/spaceport.mjs'],
  });
} else {
  emitModules(join(folder, '..'), name, dist);
  const outside = Object.entries(dependencies).filter(([each]) => !each.startsWith('@spaceport/'));
  putPacked(folder, {
    ...common,
    description: `The ${name} of Spaceport, which publishes and hosts web games and other web apps.`,
    exports: {
      './*': { types: `./dist/${name}/src/*.d.ts`, default: `./dist/${name}/src/*.js` },
    },
    files: ['dist'],
    dependencies: { ...Object.fromEntries(outside), ...zodOf(join(folder, '../contract')) },
  });
}

/** Returns the contract's dependency on zod, which the package needs too. */
function zodOf(contract: string): Readonly<Record<string, string>> {
  return readManifest(contract).dependencies ?? {};
}
