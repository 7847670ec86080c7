import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { main } from '../src/main.ts';
import '../../server/test/one-engine.ts';

export const launcher = fileURLToPath(new URL('../bin/spaceport.mjs', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  input?: string | Uint8Array;
}

export interface ProcessOptions extends RunOptions {
  /** Called with the process while it runs. */
  onStart?: (child: ChildProcess) => void;
  /** Whether more may come on stdin after `input`. */
  isOpen?: boolean;
}

/**
 * Runs the command in this process, without a terminal. Starting a process would take as long as most
 * commands.
 */
export async function runCli(args: readonly string[], options: RunOptions): Promise<Ended> {
  const [stdout, stderr] = [[], []] as [string[], string[]];
  const code = await main(args, null, {
    env: surroundings(options),
    cwd: options.cwd,
    streams: { out: into(stdout), err: into(stderr), in: Readable.from([options.input ?? '']) },
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

function into(texts: string[]): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      texts.push(text);
      done();
    },
  });
}

/** Runs the command as a user does, in a process of its own without a terminal. */
export function runCliProcess(args: readonly string[], options: ProcessOptions): Promise<Ended> {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: options.cwd,
    env: surroundings(options),
  });
  options.onStart?.(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  if (!options.isOpen) child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Returns an environment without tokens or settings of the person who runs the tests. */
export function surroundings({ cwd, env }: RunOptions): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, XDG_CONFIG_HOME: `${cwd}/.config`, ...env };
}
