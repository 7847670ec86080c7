import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@spaceport/client/client';
import { type RollingNodes, startRolling } from '../packages/server/test/rolling.ts';
import { type ServerProcess, startServerProcess } from '../packages/server/test/server-process.ts';
import { ask } from './lib/ask.ts';
import { openNodeSite } from './lib/node-site.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishFiles } from './lib/publish-files.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { createToken } from './lib/service.ts';

const swaps = 300;
const publishes = 150;
const requestsPerSecond = 300;
const restarts = 3;
/** Pause between polls. Polling without a pause would take the processor time of the measured work. */
const askMs = 2;

type Files = Record<string, Uint8Array<ArrayBuffer>>;
const gameOf = (mark: string): Files => ({
  'index.html': new Uint8Array(Buffer.from(`<!doctype html><title>${mark}</title>`)),
  'data.bin': new Uint8Array(randomBytes(20_000)),
});

/**
 * Two nodes and a worker on one database and one store: how soon the other node knows, and restarts under
 * load.
 */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  await using site = await openNodeSite(folder.path);
  const environment = {
    ...site.environment,
    DRAIN_SECONDS: '5',
    PUBLISHES_PER_HOUR: '1000000',
    CHECKS_PER_HOUR: '1000000',
  };
  const token = await createToken(environment.DATA_DIR, 'bench', environment);
  let worker: ServerProcess | undefined;
  let nodes: RollingNodes | undefined;
  try {
    worker = await startServerProcess(environment, { role: 'work' });
    nodes = await startRolling(site.proxy, environment);
    const rows: Row[] = [];
    const { url, slug } = await twoVersions(environment.BASE_URL, token);
    rows.push(...(await visible(nodes, environment.BASE_URL, token, { slug, url })));
    rows.push(...(await restarted(nodes, environment.BASE_URL, { slug, url })));
    return {
      title: 'Two nodes',
      method: `Two nodes that serve and one that works, each a process, on PostgreSQL (fsync on) and ${site.storeName}, all on the cores of the machine. Nodes are asked every ${askMs} ms from an answer on until both serve what it said; of ${swaps} rollbacks and ${publishes} publishes. A publish is counted from its finish on, with its check (without a browser). The restarts: ${requestsPerSecond} requests/s through a proxy that asks each node ten times a second whether it is ready, a connection to a node for each request, none tried twice, while both nodes are told to end and started anew in turn, ${restarts} times.`,
      rows,
    };
  } finally {
    await nodes?.close();
    await worker?.end('SIGKILL');
  }
}

interface Place {
  readonly slug: string;
  readonly url: string;
}

async function twoVersions(baseUrl: string, token: string): Promise<Place> {
  const { space } = await publishFiles(baseUrl, token, gameOf('mark-1'), { live: true });
  await publishFiles(baseUrl, token, gameOf('mark-2'), { live: true, space: space.slug });
  return space;
}

/** Measures the time from an answer of one node until both nodes serve the change. */
async function visible(
  { ports }: RollingNodes,
  baseUrl: string,
  token: string,
  { slug, url }: Place,
): Promise<Row[]> {
  const agent = new Agent({ keepAlive: true });
  const untilSeen = async (mark: string) => {
    const seenAt = async (port: number) => {
      while (!(await ask(agent, port, url)).text.includes(`<title>${mark}`)) await pause(askMs);
    };
    await Promise.all(ports().map(seenAt));
  };
  const client = createClient({ baseUrl, token });
  const swapped: number[] = [];
  for (let swap = 0; swap < swaps; swap++) {
    const version = (swap % 2) + 1;
    await client.rollback({ params: { slug }, body: { version } });
    const answered = performance.now();
    await untilSeen(`mark-${version}`);
    swapped.push(performance.now() - answered);
  }
  const published: number[] = [];
  for (let number = 3; number < 3 + publishes; number++) {
    const files = gameOf(`mark-${number}`);
    let finished = 0;
    const publishing = publishFiles(baseUrl, token, files, {
      live: true,
      space: slug,
      onFinishing: () => {
        finished = performance.now();
      },
    });
    while (finished === 0) await pause(1);
    await untilSeen(`mark-${number}`);
    published.push(performance.now() - finished);
    await publishing;
  }
  agent.destroy();
  const ms = (value: number) => ({ value, unit: 'ms' });
  return [
    row('a rollback, from its answer until both nodes serve it: median', ms(quantile(swapped, 0.5))),
    row('… p99', ms(quantile(swapped, 0.99)), null, { of: 'ours', atMost: 100 }),
    row('a publish, from finish until both nodes serve it: median', ms(quantile(published, 0.5))),
    row('… p99', ms(quantile(published, 0.99)), null, { of: 'ours', atMost: 100 }),
  ];
}

async function restarted(nodes: RollingNodes, baseUrl: string, { slug, url }: Place): Promise<Row[]> {
  const agent = new Agent({ keepAlive: true });
  const urls = [`${baseUrl}/api/gallery`, `${baseUrl}/s/${slug}`, url];
  let isOver = false;
  let failed = 0;
  const took: number[] = [];
  const under: Promise<void>[] = [];
  const asking = (async () => {
    const began = performance.now();
    for (let sent = 0; !isOver; sent++) {
      await pause(Math.max(0, began + (sent * 1_000) / requestsPerSecond - performance.now()));
      const askedAt = performance.now();
      const asked = ask(agent, nodes.proxy.port, urls[sent % urls.length] ?? '')
        .then(({ status }) => {
          took.push(performance.now() - askedAt);
          if (status !== 200) failed++;
        })
        .catch(() => {
          failed++;
        });
      under.push(asked);
    }
  })();
  for (let restart = 0; restart < restarts; restart++) await nodes.restartAll();
  isOver = true;
  await asking;
  await Promise.all(under);
  agent.destroy();
  return [
    row(
      `requests that fail while both nodes are restarted, of ${took.length.toLocaleString('en')}`,
      {
        value: failed,
        unit: 'requests',
      },
      null,
      { of: 'ours', atMost: 0 },
    ),
    row('… p99 of the others', { value: quantile(took, 0.99), unit: 'ms' }),
  ];
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}
