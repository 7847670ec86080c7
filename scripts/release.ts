/**
 * `npm run release [-- --to DIR] [--key PEM]`: writes `spaceport-VERSION.tgz`, which needs only Node, the
 * list of its packages (CycloneDX), and the checksums of both, signed if a key is given. Prints the files.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureCodeCache } from '../packages/server/build/code-cache.ts';
import { ensureServer } from '../packages/server/build/ensure-server.ts';
import { ensureBuild } from '../packages/server/src/pages/built/build.ts';
import { writeArchive } from './release/archive.ts';
import { checksumsOf, signatureOf } from './release/checksums.ts';
import { contentsOf, leftOut } from './release/contents.ts';
import { listInstalled, without } from './release/sbom.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/u, '');

async function release(): Promise<void> {
  const { values } = parseArgs({ options: { to: { type: 'string' }, key: { type: 'string' } } });
  // The key is read first, so that a problem with it is reported before anything is written.
  const key = values.key === undefined ? null : readFileSync(values.key, 'utf8');
  if (key !== null) signatureOf('', key);
  const to = resolve(values.to ?? join(root, 'dist'));
  mkdirSync(to, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = `spaceport-${version}`;
  const archive = join(to, `${name}.tgz`);
  const sbom = join(to, `${name}.cdx.json`);
  const sums = join(to, 'SHA256SUMS');

  const pages = await ensureBuild();
  const server = await ensureServer();
  await ensureCodeCache(server);
  await writeArchive(root, contentsOf(root, [pages, server]), { folder: name, to: archive });
  writeFileSync(sbom, `${JSON.stringify(without(listInstalled(root), leftOut), null, 2)}\n`);
  const text = await checksumsOf([archive, sbom]);
  writeFileSync(sums, text);
  const files = [archive, sbom, sums];
  if (key === null) console.error('SHA256SUMS is not signed: that takes --key.');
  else {
    writeFileSync(`${sums}.sig`, signatureOf(text, key));
    files.push(`${sums}.sig`);
  }
  console.log(files.join('\n'));
}

try {
  await release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
