import fs from 'node:fs';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

/**
 * Preloaded into a server process: after SIGUSR2 has armed it, the process kills itself with SIGKILL before
 * its KILL_AT-th write, so that a test can end it between any two writes. A write is a change that another
 * process can see: a call that changes the disk, a statement outside a transaction, or the end of a
 * transaction. The statements inside a transaction do not count, because they are lost wherever in it the
 * process ends; neither do reads, which change nothing.
 *
 * If SNAPSHOTS names a folder, the process goes on instead, and writes a copy of DATA_DIR there before each
 * write, named by the write's number, with the time in a file beside it. The copy is the data of a process
 * that was killed at this point.
 */
const killAt = Number(process.env.KILL_AT);
const { SNAPSHOTS: snapshots, DATA_DIR: data = '' } = process.env;
let writes = Number.NEGATIVE_INFINITY;

process.on('SIGUSR2', () => {
  // Written now, because a killed process does not write its compile cache, and the next process starts
  // faster with it.
  flushCompileCache();
  writes = 0;
  // The test waits for this line.
  fs.writeSync(1, '{"msg":"armed"}\n');
});

function countWrite(): void {
  writes++;
  if (snapshots !== undefined) {
    if (writes > 0) keepSnapshot(join(snapshots, String(writes)));
  } else if (writes === killAt) process.kill(process.pid, 'SIGKILL');
}

/**
 * Copies the data. Only calls under way may change it meanwhile, and a killed process may have done these or
 * not.
 */
function keepSnapshot(folder: string): void {
  const at = process.hrtime.bigint();
  fs.mkdirSync(folder);
  for (const path of fs.readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    const from = join(data, path);
    try {
      if (fs.statSync(from).isDirectory()) fs.mkdirSync(join(folder, path), { recursive: true });
      // SQLite rebuilds the shared memory file from its log.
      else if (!path.endsWith('-shm')) fs.copyFileSync(from, join(folder, path));
    } catch (error) {
      // The file was deleted or moved meanwhile.
      if (!fs.existsSync(from)) continue;
      throw error;
    }
  }
  fs.writeFileSync(`${folder}.at`, String(at));
}

type Method = (this: object, ...parameters: unknown[]) => unknown;

/** Wraps a method: counts its writing calls before they run. */
function watch(target: object, name: string, writes: (on: object, parameters: unknown[]) => boolean): void {
  const methods = target as Record<string, Method>;
  const original = methods[name];
  if (!original) return;
  methods[name] = function (...parameters) {
    if (writes(this, parameters)) countWrite();
    return original.apply(this, parameters);
  };
}

const always = () => true;
const isOpenedToWrite = (_on: object, [, flags]: unknown[]) =>
  !['undefined', 'function'].includes(typeof flags) && flags !== 'r';
for (const calls of [fs, fs.promises]) {
  watch(calls, 'open', isOpenedToWrite);
  for (const name of [
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
  ])
    watch(calls, name, always);
}
const handle = await fs.promises.open(process.execPath);
for (const name of ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync'])
  watch(Object.getPrototypeOf(handle), name, always);
await handle.close();

/** Connections in a transaction. SQLite has one writing connection; PostgreSQL has several. */
const inTransaction = new WeakSet<object>();

function shows(connection: object, statement: string): boolean {
  if (/^\s*(?:begin|start transaction)\b/iu.test(statement)) {
    inTransaction.add(connection);
    return false;
  }
  if (/^\s*(?:commit|rollback)\b/iu.test(statement)) return inTransaction.delete(connection);
  return (
    !inTransaction.has(connection) && !/^\s*(?:select|pragma|show|set|listen|unlisten)\b/iu.test(statement)
  );
}

watch(DatabaseSync.prototype, 'exec', (_on, [statement]) => shows(DatabaseSync, String(statement)));
for (const name of ['run', 'all'])
  watch(
    StatementSync.prototype,
    name,
    (on) => on instanceof StatementSync && shows(DatabaseSync, on.sourceSQL),
  );
watch(pg.Client.prototype, 'query', (client, [query]) => {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query;
  return typeof text === 'string' && shows(client, text);
});
syncBuiltinESMExports();
