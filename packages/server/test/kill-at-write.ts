import fs from 'node:fs';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

/**
 * Preloaded into a server process: once SIGUSR2 has armed it, the process kills itself with SIGKILL before its
 * KILL_AT-th write, so that a test can end it between any two of them. A write is what another process can see of this
 * one: a call that changes the disk, a statement that changes the database by itself, or the end of a transaction. What
 * a transaction wrote is gone with it wherever in it the process ends, so that its end stands for all its statements;
 * and between two reads nothing has changed.
 *
 * Where SNAPSHOTS names a folder it goes on instead, and leaves a copy of DATA_DIR there before each write, called by its
 * number, and the instant in a file beside it: what the next process would find if this one had ended then.
 */
const killAt = Number(process.env.KILL_AT);
const { SNAPSHOTS: snapshots, DATA_DIR: data = '' } = process.env;
let writes = Number.NEGATIVE_INFINITY;

process.on('SIGUSR2', () => {
  // The next one starts faster; this one will not end by itself and so would not keep it.
  flushCompileCache();
  writes = 0;
  // For the test, which waits for it.
  fs.writeSync(1, '{"msg":"armed"}\n');
});

function countWrite(): void {
  writes++;
  if (snapshots !== undefined) {
    if (writes > 0) keepSnapshot(join(snapshots, String(writes)));
  } else if (writes === killAt) process.kill(process.pid, 'SIGKILL');
}

/** Nothing but calls that are under way changes meanwhile, and each of those may be done or not where a process ends. */
function keepSnapshot(folder: string): void {
  const at = process.hrtime.bigint();
  fs.mkdirSync(folder);
  for (const path of fs.readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    const from = join(data, path);
    try {
      if (fs.statSync(from).isDirectory()) fs.mkdirSync(join(folder, path), { recursive: true });
      // What two processes on one file share of its log is made anew from it.
      else if (!path.endsWith('-shm')) fs.copyFileSync(from, join(folder, path));
    } catch (error) {
      // It has just gone, or moved.
      if (!fs.existsSync(from)) continue;
      throw error;
    }
  }
  fs.writeFileSync(`${folder}.at`, String(at));
}

type Method = (this: object, ...parameters: unknown[]) => unknown;

/** Looks at every call of a method before it runs, and counts those that write. */
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

/** SQLite has one connection that writes; PostgreSQL has several, each with a transaction of its own. */
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
