#!/usr/bin/env node
// Starts the command in the package that a service serves, or that npm packed, which knows of no service. Plain JavaScript that older Nodes read too: they are told
// what is missing.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// The first ones with crypto.hash and util.styleText.
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
