import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a server, and ends it when the pipe on stdin closes: the kernel closes it when the process that
 * started us ends, also by `kill -9`. Then its two folders are deleted.
 */
const supervise = `
signal=$1 home=$2 data=$3; shift 3
exec 3<&0
"$@" </dev/null 3<&- & server=$!
( cat <&3 >/dev/null; kill -$signal $server ) & watch=$!
wait $server
exec 2>/dev/null
kill $watch
cd /
rm -rf "$home" "$data"`;

export interface Supervised {
  readonly command: readonly [program: string, ...words: string[]];
  /** Folders that are deleted when the server has ended. */
  readonly folders: readonly [home: string, data: string];
  /** The signal that ends it, e.g. `QUIT`; its files are not needed afterwards. */
  readonly signal: string;
}

/** Starts a server that ends with this process, however that ends. Its stderr can be read. */
export function startSupervised(
  { command, folders, signal }: Supervised,
  options: SpawnOptions,
): ChildProcess {
  return spawn('/bin/sh', ['-c', supervise, 'supervise', signal, ...folders, ...command], {
    ...options,
    // In a separate process group, so that Ctrl-C in a terminal reaches the tests before their servers.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}

/**
 * Lets this process end without waiting for the server, so that a test that forgets to stop it still ends.
 */
export function release(supervisor: ChildProcess): void {
  supervisor.stderr?.destroy();
  supervisor.unref();
}

export async function stopSupervised(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  const ended = once(supervisor, 'exit');
  supervisor.ref();
  supervisor.stdin?.end();
  await ended;
}
