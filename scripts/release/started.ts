import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { EmptyRoot } from './empty-root.ts';

const startMs = 30_000;

/** A running service from an archive that was unpacked into a root. */
export interface Started {
  readonly port: number;
  /** Calls `admin` on the same data. */
  admin(...args: string[]): Promise<Record<string, unknown>>;
  ask(host: string, path: string, asked?: Asked): Promise<{ status: number; body: Buffer }>;
  /** Ends the service. Resolves to its exit code. */
  end(): Promise<number | null>;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array;
}

/** Starts `folder`, an unpacked archive in the root, and waits until it says that it is ready. */
export async function startIn(root: EmptyRoot, folder: string): Promise<Started> {
  const main = root.pathOf(`${folder}/packages/server/bin/spaceport-server.mjs`);
  const settings = { DATA_DIR: root.pathOf('data'), PORT: '0', DRAIN_SECONDS: '0' };
  const started = root.command([main]);
  const child = spawn(started.file, started.args, {
    cwd: '/',
    env: { ...started.environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await readyPort(child);
  return {
    port,
    async admin(...args) {
      const call = root.command([main, 'admin', ...args, '--json']);
      const env = { ...call.environment, ...settings };
      const { stdout } = await promisify(execFile)(call.file, call.args, { cwd: '/', env });
      return JSON.parse(stdout);
    },
    ask: (host, path, asked = {}) => ask(port, host, path, asked),
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}

/** @throws an error with the program's output if it ends before it is ready */
async function readyPort(child: ChildProcess): Promise<number> {
  const said: string[] = [];
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('Both are pipes.');
  stderr.on('data', (data: Buffer) => said.push(data.toString()));
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL');
      reject(new Error(`The archive did not start: ${why}\n${said.join('')}`));
    };
    const timer = setTimeout(fail, startMs, `not ready after ${startMs} ms`);
    child.once('exit', (code) => fail(`it ended with ${code}`));
    createInterface({ input: stdout }).on('line', (line) => {
      said.push(`${line}\n`);
      if (!line.includes('"msg":"ready"')) return;
      clearTimeout(timer);
      resolve(JSON.parse(line).port);
    });
  });
}

async function ask(
  port: number,
  host: string,
  path: string,
  { method = 'GET', headers = {}, body }: Asked,
): Promise<{ status: number; body: Buffer }> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { ...headers, host: `${host}:${port}` },
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, body: await buffer(answer) };
}
