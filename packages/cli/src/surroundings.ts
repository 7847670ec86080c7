import type { Environment } from './config.ts';
import { exitCodes } from './exit-codes.ts';
import type { Streams } from './output.ts';

/** The environment of a command line. */
export interface Surroundings {
  readonly env: Environment;
  /** An absolute path. */
  readonly cwd: string;
  readonly streams: Streams;
}

export function ofProcess(): Surroundings {
  const { env, stdout, stderr, stdin } = process;
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader of a pipe may stop early, as `head` does. The command goes on to its end without it.
    if (code === 'EPIPE') return;
    stderr.write(`The output cannot be written: ${message}\n`);
    process.exit(exitCodes.unexpected);
  });
  // What is told beside the result is no reason to end, a publish in its middle say: a log on a full disk.
  stderr.on('error', () => {});
  return { env, cwd: currentFolder(env), streams: { out: stdout, err: stderr, in: stdin } };
}

/** Returns the current folder. Of one that was deleted meanwhile the shell still has the name, for the message. */
function currentFolder(env: Environment): string {
  try {
    return process.cwd();
  } catch {
    return env.PWD || '/';
  }
}
