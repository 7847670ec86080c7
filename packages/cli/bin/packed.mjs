#!/usr/bin/env node
// Starts the command from a package. A package that a service serves has that service's address in
// origin.json; the package from npm has none. This file is plain JavaScript that older versions of Node can
// run, so that they can print which version is needed.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// The first minor versions with crypto.hash and util.styleText.
const leastMinor = { 20: 12, 21: 7 };

if (major < 20 || minor < (leastMinor[major] ?? 0)) {
  process.stderr.write(
    `spaceport needs Node 20.12 or newer, and this is ${process.version}: install one from https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  module.enableCompileCache?.();
  const { main } = await import('./spaceport.mjs');
  const place = new URL('origin.json', import.meta.url);
  const origin = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : null;
  process.exitCode = await main(process.argv.slice(2), origin);
}
