import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
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
  input?: string;
  /** Called with the process while it runs. */
  onStart?: (child: ChildProcess) => void;
}

/** Runs the command as a user does: a process of its own, without a terminal. */
export function runCli(args: readonly string[], options: RunOptions): Promise<Ended> {
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
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Nothing of what surrounds the tests: neither tokens nor a configuration of whoever runs them. */
export function surroundings({ cwd, env }: RunOptions): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, XDG_CONFIG_HOME: `${cwd}/.config`, ...env };
}
