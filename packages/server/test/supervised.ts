import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a server, and ends it when the pipe on stdin closes: the kernel closes it when the process that started us
 * ends, also by `kill -9`. Then its two folders are deleted.
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
  /** Deleted when it has ended. */
  readonly folders: readonly [home: string, data: string];
  /** What ends it, e.g. `QUIT`: nobody will read its files again. */
  readonly signal: string;
}

/** Starts a server that ends with this process, however that ends; what it says on stderr can be read. */
export function startSupervised(
  { command, folders, signal }: Supervised,
  options: SpawnOptions,
): ChildProcess {
  return spawn('/bin/sh', ['-c', supervise, 'supervise', signal, ...folders, ...command], {
    ...options,
    // In a group of its own, so that Ctrl-C in a terminal reaches the tests before it reaches what they stand on.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}

/** From here on it does not keep this process alive: a test that forgets to stop it still ends. */
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
