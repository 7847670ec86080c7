import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

/**
 * Preloaded into a server process: once SIGUSR2 has armed it, the process kills itself with SIGKILL before its
 * KILL_AT-th write to the disk or the database, so that a test can end it between any two of them.
 */
const killAt = Number(process.env.KILL_AT);
let writes = Number.NEGATIVE_INFINITY;

process.on('SIGUSR2', () => {
  writes = 0;
  // For the test, which waits for it.
  fs.writeSync(1, '{"msg":"armed"}\n');
});

function countWrite(): void {
  if (++writes === killAt) process.kill(process.pid, 'SIGKILL');
}

type Method = (...parameters: unknown[]) => unknown;

/** Counts every call of a method before it runs. */
function count(target: object, name: string): void {
  const methods = target as Record<string, Method>;
  const original = methods[name];
  if (!original) return;
  methods[name] = function (this: unknown, ...parameters: unknown[]) {
    countWrite();
    return original.apply(this, parameters);
  };
}

const calls = [
  'open',
  'write',
  'writev',
  'writeFile',
  'fsync',
  'fdatasync',
  'rename',
  'link',
  'unlink',
  'rm',
  'mkdir',
];
for (const name of calls) {
  count(fs, name);
  count(fs.promises, name);
}
const handle = await fs.promises.open(process.execPath);
for (const name of ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync'])
  count(Object.getPrototypeOf(handle), name);
await handle.close();
count(DatabaseSync.prototype, 'exec');
for (const name of ['run', 'all']) count(StatementSync.prototype, name);
count(pg.Client.prototype, 'query');
syncBuiltinESMExports();
