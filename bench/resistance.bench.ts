import { createHash, randomBytes } from 'node:crypto';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Hold, hold } from './lib/held-connections.ts';
import { forgetPeak, memoryOf } from './lib/memory.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishLive } from './lib/publish-files.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { createToken, startService } from './lib/service.ts';

const MiB = 1024 * 1024;
const asksPerSecond = 50;
const seconds = 8;
const cutSeconds = 60;

/** What somebody else's file takes while connections are held, what they cost in memory, and when they are let go. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  // All of them come from one address here, which by itself may hold no such number.
  await using service = await startService(data, {
    environment: { CONNECTIONS_PER_ADDRESS: '0', CHECKS_PER_HOUR: '1000' },
  });
  const { port, baseUrl, child } = service;
  const token = await createToken(data);
  const small = Buffer.from('<!doctype html><title>Bench</title>');
  const url = await publishLive(baseUrl, token, { 'index.html': small, 'large.bin': randomBytes(16 * MiB) });
  const { host } = new URL(url);
  const app = new URL(baseUrl).host;
  const links = await uploadLinks(baseUrl, token, 100);

  const attacks: Record<string, Omit<Hold, 'port' | 'pid'>> = {
    '2,000 idle sockets': { count: 2_000, first: () => '', reads: true },
    '500 slow heads': {
      count: 500,
      first: () => `GET / HTTP/1.1\r\nHost: ${app}\r\nX-Slow: `,
      drip: 'x',
      reads: true,
    },
    '200 slow readers': {
      count: 200,
      first: () => `GET /large.bin HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      reads: false,
    },
    '200 large bodies': {
      count: 200,
      first: () =>
        Buffer.concat([
          Buffer.from(
            `POST /api/v1/hosting/versions HTTP/1.1\r\nHost: ${app}\r\nContent-Length: ${4 * MiB}\r\n\r\n`,
          ),
          Buffer.alloc(4 * MiB - 64, ' '),
        ]),
      reads: true,
    },
    '100 slow uploads': {
      count: 100,
      first: (at) => {
        const link = new URL(links[at] ?? baseUrl);
        return `PUT ${link.pathname}${link.search} HTTP/1.1\r\nHost: ${app}\r\nContent-Length: ${MiB}\r\n\r\n`;
      },
      drip: 'x',
      reads: true,
    },
  };
  const pid = child.pid ?? 0;
  const rows: Row[] = [];
  await p99(port, host);
  for (const [name, attack] of Object.entries(attacks)) {
    const base = { value: await p99(port, host), unit: 'ms' };
    forgetPeak(pid);
    const before = memoryOf(pid).nowMB;
    using held = await hold({ port, pid, ...attack });
    const under = { value: await p99(port, host), unit: 'ms' };
    const cut = await held.cut(2 * cutSeconds);
    const grown = memoryOf(pid).peakMB - before;
    rows.push(
      row(`${name}: p99 of a hosted file`, under, { name: 'before', ...base }, { of: 'ratio', atMost: 2 }),
      row('… memory at its most', { value: grown, unit: 'MB more' }, null, { of: 'ours', atMost: 100 }),
      row('… all are cut after', { value: cut, unit: 's' }, null, { of: 'ours', atMost: cutSeconds }),
    );
    await pause(1_000);
  }
  return {
    title: 'Resistance',
    method: `A small file of a live space is asked for ${asksPerSecond} times a second for ${seconds} s, before and while connections are held by somebody who means no good: those that say nothing, heads and uploads of a byte a second, readers that take nothing of 16 MiB, bodies of 4 MiB that stop 64 bytes short. One run; the least of the p99 is a few ms, so that its ratio is noisy.`,
    rows,
  };
}

/** Of a file of a live space, asked for at a steady rate. */
async function p99(port: number, host: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const asked: Promise<number>[] = [];
  for (let at = 0; at < asksPerSecond * seconds; at++) {
    asked.push(ask(port, host, agent));
    await pause(1_000 / asksPerSecond);
  }
  const times = (await Promise.all(asked)).toSorted((one, other) => one - other);
  agent.destroy();
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

function ask(port: number, host: string, agent: Agent): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/', headers: { host }, agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - began));
      if (answer.statusCode !== 200) reject(new Error(`the file was answered with ${answer.statusCode}`));
    }).on('error', reject);
  });
}

async function uploadLinks(baseUrl: string, token: string, count: number): Promise<string[]> {
  const files = Array.from({ length: count }, (_, at) => ({
    path: at === 0 ? 'index.html' : `${at}.bin`,
    sha256: createHash('sha256').update(`nothing ${at}`).digest('hex'),
    size: MiB,
  }));
  const answer = await fetch(`${baseUrl}/api/v1/hosting/versions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ fields: { title: 'Slow', space_type: 'game', devices: ['desktop'] }, files }),
  });
  const { uploads } = (await answer.json()) as { uploads: { url: string }[] };
  return uploads.map(({ url }) => url);
}
