#!/usr/bin/env node
// Starts the command from its sources. This file is plain JavaScript that any Node can run. If this Node
// cannot run TypeScript, it starts the Node that npm installed in the project or beside the command.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const leastMajor = 24;

if (Number.parseInt(process.versions.node, 10) >= leastMajor) {
  // Caches compiled code, which saves half of the start-up time.
  module.enableCompileCache?.();
  const { main } = await import('../src/main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = installedNode();
  if (node === null) {
    process.stderr.write(
      `spaceport needs Node ${leastMajor} or newer, and this is ${process.version}: install it from https://nodejs.org, or add it to your project with "npm install --save-dev node@${leastMajor}".\n`,
    );
    process.exitCode = 1;
  } else handOver(node);
}

function installedNode() {
  // Looks in the project first, then where this command is installed.
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve('node/package.json');
      const { version, bin } = createRequire(manifest)(manifest);
      if (Number.parseInt(version, 10) >= leastMajor) return join(dirname(manifest), bin.node);
    } catch {}
  }
  return null;
}

function handOver(node) {
  const child = spawn(node, [import.meta.filename ?? process.argv[1], ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // The terminal sends Ctrl-C to both processes. The command handles it, and this process waits for its end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    process.stderr.write(`spaceport could not start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}
