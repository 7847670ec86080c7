import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { launcher, type RunOptions, surroundings } from './run-cli.ts';

/** The keys that a person types once the screen ends with `after`. Null closes the terminal. */
export interface Typing {
  readonly after: RegExp;
  readonly keys: string | null;
}

export interface AtTerminal {
  readonly code: number | null;
  /** Everything that was shown, in order, without control sequences. */
  readonly screen: string;
}

type Start = (args: readonly string[], options: RunOptions) => ChildProcess;

const preload = fileURLToPath(new URL('as-terminal.ts', import.meta.url));

const marked: Start = (args, options) =>
  spawn(process.execPath, ['--import', preload, launcher, ...args], {
    cwd: options.cwd,
    env: surroundings(options),
  });

/**
 * Runs the command in a real terminal: util-linux's `script` makes one, and returns the command's exit code.
 */
const real: Start = (args, options) => {
  const quoted = [process.execPath, launcher, ...args].map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`);
  return spawn('script', ['--quiet', '--flush', '--return', '--command', quoted.join(' '), '/dev/null'], {
    cwd: options.cwd,
    env: { ...surroundings(options), TERM: 'xterm', SHELL: '/bin/sh' },
  });
};

/**
 * Ways to run a command at a terminal: pipes that look like one, and a real one where `script` is installed.
 */
export const terminals: readonly { name: string; start: Start; skip: string | false }[] = [
  { name: 'pipes that look like one', start: marked, skip: false },
  {
    name: 'a real one',
    start: real,
    skip: hasScript() ? false : 'this machine has no `script` of util-linux',
  },
];

/**
 * Runs the command for a person who reads and types. @throws an error if the screen never shows what they
 * wait for
 */
export function runAtTerminal(
  start: Start,
  args: readonly string[],
  options: RunOptions,
  typings: readonly Typing[],
): Promise<AtTerminal> {
  const child = start(args, options);
  const waiting = [...typings];
  let screen = '';
  let unread = '';
  const show = (text: string) => {
    const plain = text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/gu, '');
    screen += plain;
    unread += plain;
    const [next] = waiting;
    if (next === undefined || !next.after.test(unread)) return;
    waiting.shift();
    unread = '';
    if (next.keys === null) child.stdin?.end();
    else child.stdin?.write(next.keys);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', show);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (waiting.length > 0) reject(new Error(`${waiting[0]?.after} was never shown: ${screen}`));
      else resolve({ code, screen });
    });
  });
}

function hasScript(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
}
