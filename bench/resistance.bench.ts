import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBareHttp } from './lib/bare-http.ts';
import { type Hold, hold } from './lib/held-connections.ts';
import { forgetPeak, memoryOf } from './lib/memory.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishLive } from './lib/publish-files.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median, most } from './lib/rounds.ts';
import { createToken, startService } from './lib/service.ts';

const MiB = 1024 * 1024;
const asksPerSecond = 50;
const seconds = 8;
const rounds = 5;
const cutSeconds = 60;

/** The server that is attacked and measured. */
interface Target {
  readonly port: number;
  readonly pid: number;
  readonly host: string;
}

type Attack = Omit<Hold, 'port'>;

/**
 * The delay of other clients' files while an attacker holds connections, the memory of these, and when they
 * are closed.
 */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  // All connections come from one address here, so its limit is raised.
  await using service = await startService(data, {
    environment: { CONNECTIONS_PER_ADDRESS: '0', CHECKS_PER_HOUR: '1000' },
  });
  const { port, baseUrl, child } = service;
  const token = await createToken(data);
  const files = {
    'index.html': Buffer.from('<!doctype html><title>Bench</title>'),
    'large.bin': randomBytes(16 * MiB),
  };
  const url = await publishLive(baseUrl, token, files);
  const { host } = new URL(url);
  const ours: Target = { port, pid: child.pid ?? 0, host };
  const attacks = attacksOn(host, new URL(baseUrl).host, await uploadLinks(baseUrl, token, 100));

  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder.path, name), bytes);
  await using bare = await startBareHttp(join(folder.path, 'index.html'), join(folder.path, 'large.bin'));
  const { host: bareHost, port: barePort } = new URL(bare.baseUrl);
  const theirs: Target = { port: Number(barePort), pid: bare.pid, host: bareHost };

  const rows: Row[] = [];
  await p99(ours);
  await p99(theirs);
  // BENCH_ATTACK=readers runs only the attacks whose name contains the word.
  const { BENCH_ATTACK: wanted = '' } = process.env;
  for (const [name, attack] of Object.entries(attacks).filter(([each]) => each.includes(wanted)))
    rows.push(...(await measure(name, attack, ours, theirs)));
  return {
    title: 'Resistance',
    method: `A small file of a live space is asked for ${asksPerSecond} times a second for ${seconds} s, before and while connections are held by somebody who means no good: those that say nothing, heads and uploads of a byte a second, readers that take nothing of 16 MiB, bodies of 4 MiB that stop 64 bytes short. They are held by a process of its own, of the least priority, so that what it costs is not the server's delay. Each row stands beside what the same file took before, and beside \`node:http\` that answers from memory and closes on bodies, under the same attack. ${rounds} rounds, ours and bare in turns; the median of each p99, the most of the memory; how long it takes until all are cut is of one more round.`,
    rows,
  };
}

async function measure(name: string, attack: Attack, ours: Target, theirs: Target): Promise<Row[]> {
  const results = await interleaved(rounds, {
    ours: () => attacked(ours, attack),
    bare: () => attacked(theirs, attack),
  });
  await using held = await hold(ours.pid, { port: ours.port, ...attack });
  const cut = await held.cut(2 * cutSeconds);
  const middle = (values: number[]) => ({ value: median(values), unit: 'ms' });
  const under = middle(results.ours.map((each) => each.underMs));
  const before = middle(results.ours.map((each) => each.beforeMs));
  const bare = middle(results.bare.map((each) => each.underMs));
  const grown = { value: most(results.ours.map(({ grownMB }) => grownMB)), unit: 'MB more' };
  return [
    row(`${name}: p99 of a hosted file`, under, { name: 'before', ...before }, { of: 'ratio', atMost: 2 }),
    row('… the same beside a bare server', under, { name: 'node:http under it', ...bare }),
    row('… memory at its most', grown, null, { of: 'ours', atMost: 100 }),
    row('… all are cut after', { value: cut, unit: 's' }, null, { of: 'ours', atMost: cutSeconds }),
  ];
}

/** One round: before the attack, during it, and until the server has closed its connections. */
async function attacked(target: Target, attack: Attack) {
  const { port, pid } = target;
  const beforeMs = await p99(target);
  forgetPeak(pid);
  const before = memoryOf(pid).nowMB;
  await using _held = await hold(pid, { port, ...attack });
  const underMs = await p99(target);
  return { beforeMs, underMs, grownMB: memoryOf(pid).peakMB - before };
}

function attacksOn(host: string, app: string, links: readonly string[]): Record<string, Attack> {
  return {
    '2,000 idle sockets': { count: 2_000, first: '', reads: true },
    '500 slow heads': {
      count: 500,
      first: `GET / HTTP/1.1\r\nHost: ${app}\r\nX-Slow: `,
      drip: 'x',
      reads: true,
    },
    '200 slow readers': {
      count: 200,
      first: `GET /large.bin HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      reads: false,
    },
    '200 large bodies': {
      count: 200,
      first: `POST /api/v1/hosting/versions HTTP/1.1\r\nHost: ${app}\r\nContent-Length: ${4 * MiB}\r\n\r\n`,
      bodyBytes: 4 * MiB - 64,
      reads: true,
    },
    '100 slow uploads': {
      count: 100,
      first: links.map((each) => {
        const link = new URL(each);
        return `PUT ${link.pathname}${link.search} HTTP/1.1\r\nHost: ${app}\r\nContent-Length: ${MiB}\r\n\r\n`;
      }),
      drip: 'x',
      reads: true,
    },
  };
}

/** Returns the p99 of a small file, requested at a constant rate. */
async function p99({ port, host }: Target): Promise<number> {
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
