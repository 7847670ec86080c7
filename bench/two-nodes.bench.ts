import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServerProcess, startServerProcess } from '../packages/server/test/server-process.ts';
import { ask } from './lib/ask.ts';
import type { DurablePostgres } from './lib/durable-postgres.ts';
import { openNodeSite } from './lib/node-site.ts';
import { type Asked, openLoop } from './lib/open-loop.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishLive } from './lib/publish-files.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median, told } from './lib/rounds.ts';
import { scorePosts } from './lib/score-load.ts';
import { seedScores, unlimited } from './lib/score-service.ts';
import { createToken } from './lib/service.ts';
import { type LoadOptions, load } from './lib/wrk.ts';

const rounds = 3;
const seconds = 2;
const connections = 64;
const players = 10_000;
const firstPerSecond = 200;
const faster = 1.4;
const kneeSeconds = 3;
const patienceMs = 100;
const warmAttempts = 20;
const warmPauseMs = 500;

/** One node beside two on one database and one store, and the load at which each becomes slow. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  await using site = await openNodeSite(folder.path);
  const environment = { ...site.environment, ...unlimited };
  const nodes: ServerProcess[] = [];
  try {
    const token = await createToken(environment.DATA_DIR, 'bench', environment);
    for (const at of [0, 1]) {
      const node = await startServerProcess({ ...environment, PORT: '0' }, { role: 'serve' });
      nodes[at] = node;
      site.proxy.set(at, node.listeningPort);
    }
    const targets = await prepare(environment, token, folder.path);
    const ports = nodes.map(({ listeningPort }) => listeningPort);
    const rows = [
      ...(await beside(targets, ports, site.postgres)),
      ...(await knee(targets, ports.slice(0, 1), 'one node')),
      ...(await knee(targets, ports, 'two nodes')),
    ];
    return {
      title: 'One node beside two',
      method: `Nodes that serve, each a process, on PostgreSQL (fsync on) and ${site.storeName}, all with what loads them on the cores of the machine: on few cores two nodes have no more of them than one. A file of 20,000 bytes of a hosted space; the gallery's read of a space; a score posted with the board secret, durable when it is answered, to a board of ${players.toLocaleString('en')} players. From ${connections} connections with wrk to one node, or half of them to each of two, in turns; the median of ${rounds} rounds of ${seconds} s after one to warm up. The database's time is user and system time of all of PostgreSQL's processes. The knee: seven files, two reads and one post in ten requests, sent at a rate whether answered or not, each rate ${faster} times the one before, for ${kneeSeconds} s each, until the 99th percentile, counted from when a request was due, is over ${patienceMs} ms or an answer is an error; the last rate before that.`,
      rows,
    };
  } finally {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
  }
}

type Kind = 'files' | 'reads' | 'posts';
const kinds: readonly Kind[] = ['files', 'reads', 'posts'];
const names: Record<Kind, string> = { files: 'a hosted file', reads: 'a public read', posts: 'a score post' };

interface Target {
  readonly url: string;
  readonly options: LoadOptions;
  readonly asked: (number: number) => Omit<Asked, 'port'>;
}

async function prepare(
  environment: Record<string, string> & { BASE_URL: string; DATA_DIR: string },
  token: string,
  folder: string,
): Promise<Record<Kind, Target>> {
  const worker = await startServerProcess(environment, { role: 'work' });
  const game = {
    'index.html': new Uint8Array(Buffer.from('<!doctype html><title>Two nodes</title>')),
    'data.bin': new Uint8Array(randomBytes(20_000)),
  };
  const site = await publishLive(environment.BASE_URL, token, game).finally(() => worker.end());
  const { secret, slug } = await seedScores(environment.DATA_DIR, players, environment);
  const file = `${site}data.bin`;
  const read = `${environment.BASE_URL}/api/gallery/${slug}`;
  const post = `${environment.BASE_URL}/api/v1/scores`;
  const host = new URL(post).host;
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const posts = {
    path: '/api/v1/scores',
    players,
    fields: '"board":"main"',
    headers: { ...headers, Host: host },
  };
  return {
    files: { url: file, options: {}, asked: () => ({ url: file }) },
    reads: { url: read, options: {}, asked: () => ({ url: read }) },
    posts: {
      url: post,
      options: await scorePosts(folder, 'posts', posts),
      asked: (number) => ({
        url: post,
        method: 'POST',
        headers,
        body: JSON.stringify({
          board: 'main',
          player: `p${String((number * 7_919) % players).padStart(9, '0')}`,
          score: number,
        }),
      }),
    },
  };
}

/** Measures the rate of each kind of request on one node and on two. */
async function beside(
  targets: Record<Kind, Target>,
  ports: readonly number[],
  postgres: DurablePostgres,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds) {
    const { url, options } = targets[kind];
    await warm(targets[kind], ports);
    const { host, pathname } = new URL(url);
    const by = async (nodes: readonly number[]) => {
      const before = postgres.cpuSeconds();
      const loads = await Promise.all(
        nodes.map((port) =>
          load(`http://127.0.0.1:${port}${pathname}`, {
            ...options,
            headers: { Host: host },
            connections: connections / nodes.length,
            seconds,
          }),
        ),
      );
      const rate = loads.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
      return { rate, databaseUs: ((postgres.cpuSeconds() - before) * 1e6) / (rate * seconds) };
    };
    const sides = { one: () => by(ports.slice(0, 1)), two: () => by(ports) };
    await interleaved(1, sides);
    const { one, two } = await interleaved(rounds, sides);
    const figure = (of: typeof one, part: 'rate' | 'databaseUs', unit: string) => ({
      value: median(of.map((round) => round[part])),
      unit,
    });
    rows.push(
      row(`${names[kind]}, two nodes`, figure(two, 'rate', 'requests/s'), {
        name: 'one node',
        ...figure(one, 'rate', 'requests/s'),
      }),
      row('… CPU time of the database', figure(two, 'databaseUs', 'µs'), {
        name: 'one node',
        ...figure(one, 'databaseUs', 'µs'),
      }),
    );
  }
  return rows;
}

/** Requests each address once from each node, so that its caches are filled. */
async function warm({ asked }: Target, ports: readonly number[]): Promise<void> {
  const agent = new Agent();
  for (const [number, port] of ports.entries()) {
    const { url, ...rest } = asked(number);
    for (let attempt = 1; (await ask(agent, port, url, rest)).status >= 300; attempt++) {
      if (attempt === warmAttempts) throw new Error(`${url} is not answered`);
      await pause(warmPauseMs);
    }
  }
}

/** Returns the kind of a request: of ten, one is a post, two are reads, and the others are files. */
function kindOf(number: number): Kind {
  const place = number % 10;
  if (place === 9) return 'posts';
  return place % 4 === 3 ? 'reads' : 'files';
}

/** Measures the highest rate of mixed requests at which the nodes are still fast. */
async function knee(targets: Record<Kind, Target>, ports: readonly number[], who: string): Promise<Row[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const next = (number: number): Asked => ({
    ...targets[kindOf(number)].asked(number),
    port: ports[number % ports.length] ?? 0,
  });
  let last = { perSecond: 0, p99Ms: 0 };
  try {
    for (let perSecond = firstPerSecond; ; perSecond = Math.round(perSecond * faster)) {
      const { p99Ms, errors } = await openLoop(agent, { perSecond, seconds: kneeSeconds }, next);
      told(`${who}: ${perSecond} requests/s, p99 ${p99Ms.toFixed(1)} ms, ${errors} errors`);
      if (p99Ms > patienceMs || errors > 0) break;
      last = { perSecond, p99Ms };
    }
  } finally {
    agent.destroy();
  }
  return [
    row(`the knee of ${who}`, { value: last.perSecond, unit: 'requests/s' }),
    row('… p99 there', { value: last.p99Ms, unit: 'ms' }),
  ];
}
