import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { end, freePort, run, start } from './processes.ts';
import { requireTool } from './tools.ts';

export interface Redis extends AsyncDisposable {
  readonly pid: number;
  /** Sends one command. @returns what redis-cli prints of the answer */
  command(...args: string[]): Promise<string>;
  /**
   * Sends one command `requests` times from 64 connections, each after the previous answer. Every
   * `__rand_int__` in it is a number below `keys`, with twelve digits. @returns commands per second
   */
  rate(requests: number, keys: number, ...command: string[]): Promise<number>;
}

/**
 * Starts Redis on the server's core. If `durable`, each write is on disk before its answer. @throws
 * MissingTool
 */
export async function startRedis(workFolder: string, { durable }: { durable: boolean }): Promise<Redis> {
  const [server, cli, benchmark] = ['redis-server', 'redis-cli', 'redis-benchmark'].map(requireTool);
  const port = String(await freePort());
  const folder = join(workFolder, `redis-${port}`);
  await mkdir(folder);
  const keeping = durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  const place = ['--port', port, '--bind', '127.0.0.1', '--dir', folder];
  const child = start('server', server ?? '', [...place, '--save', '', ...keeping]);
  const command = (...args: string[]) => run('load', cli ?? '', ['-p', port, ...args]);
  await untilListens(Number(port), child);
  return {
    pid: child.pid ?? 0,
    command,
    async rate(requests, keys, ...line) {
      const args = ['-p', port, '-c', '64', '-n', String(requests), '-r', String(keys), '--csv', ...line];
      const text = await run('load', benchmark ?? '', args);
      const rate = /^"[^"]*","([\d.]+)"/mu.exec(text.slice(text.indexOf('\n') + 1))?.[1];
      if (rate === undefined) throw new Error(`redis-benchmark said something else:\n${text}`);
      return Number(rate);
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** @throws an error if Redis ends before it listens */
async function untilListens(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await pause(20);
    } finally {
      socket.destroy();
    }
  }
  throw new Error('Redis did not start');
}
