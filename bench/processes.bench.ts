import { join } from 'node:path';
import { startDurablePostgres } from './lib/durable-postgres.ts';
import { measuredLoad, medianCpu } from './lib/measured-load.ts';
import { temporaryFolder } from './lib/processes.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved } from './lib/rounds.ts';
import { startScoreService, unlimited } from './lib/score-service.ts';
import { type ServiceUnderTest, startService } from './lib/service.ts';
import { type LoadOptions, medianP99, medianRate } from './lib/wrk.ts';

const rounds = 5;
const seconds = 2;
const players = 20_000;

/** A server of two processes beside a server of one, with each way of distributing connections. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  await using postgres = await startDurablePostgres('all');
  const environment = { DATABASE_URL: await postgres.createDatabase('processes') };
  await using data = await startScoreService(join(folder.path, 'seed'), players, environment);
  const { slug } = data;
  // All servers have the same public address, whatever their ports.
  const shared = { ...environment, ...unlimited, BASE_URL: data.service.baseUrl };
  const started = (name: string, more: Record<string, string>) =>
    startReady(join(folder.path, name), { ...shared, ...more });
  await using one = await started('one', {});
  await using two = await started('two', { PROCESSES: '2' });
  await using turns = await started('turns', { PROCESSES: '2', NODE_CLUSTER_SCHED_POLICY: 'rr' });
  const headers = { Host: new URL(data.service.baseUrl).host };
  const posts = await data.posts(folder.path, 'posts');
  const rows: Row[] = [];
  for (const [what, path, options] of [
    ['the gallery, from memory', '/api/gallery', { headers }],
    ['a space’s page, from memory', `/s/${slug}`, { headers: { ...headers, 'accept-encoding': 'br' } }],
    ['around a player', `/api/gallery/${slug}/boards/main/entries?limit=20&around=p000001000`, { headers }],
    ['score posts', '/', posts],
  ] as const)
    rows.push(...(await compare(what, { one, two, turns }, path, options)));
  return {
    title: 'Several processes',
    method: `A server of two processes beside one of one, on PostgreSQL (fsync on) with a board of ${players.toLocaleString('en')} players, in turns: wrk, 64 connections, ${seconds} s each, ${rounds} rounds after one to warm up; the median of the rounds. Server, PostgreSQL and wrk share all cores of the machine, and wrk has one of them: on two cores a second process takes what is left. CPU time is that of all processes of the server. The kernel has a process accept a connection; «in turn» the primary hands them out (NODE_CLUSTER_SCHED_POLICY=rr).`,
    rows,
  };
}

/** Starts a service on all cores, and waits until every process has started. */
async function startReady(folder: string, environment: Record<string, string>): Promise<ServiceUnderTest> {
  const service = await startService(folder, { role: 'serve', side: 'all', environment });
  const ready = async () => (await fetch(`http://127.0.0.1:${service.port}/readyz`)).ok;
  while (!(await ready()));
  return service;
}

async function compare(
  what: string,
  { one, two, turns }: Readonly<Record<'one' | 'two' | 'turns', ServiceUnderTest>>,
  path: string,
  options: LoadOptions,
): Promise<Row[]> {
  const side =
    ({ port, child }: ServiceUnderTest) =>
    () =>
      measuredLoad(`http://127.0.0.1:${port}${path}`, child.pid, { ...options, seconds });
  const sides = { one: side(one), two: side(two), turns: side(turns) };
  await interleaved(1, sides);
  const loads = await interleaved(rounds, sides);
  const name = 'one process';
  return [
    row(`${what}, two processes`, medianRate(loads.two), { name, ...medianRate(loads.one) }),
    row('… CPU time of a request', medianCpu(loads.two), { name, ...medianCpu(loads.one) }),
    row('… p99', medianP99(loads.two), { name, ...medianP99(loads.one) }),
    row('… with connections handed out in turn', medianRate(loads.turns), {
      name: 'as the kernel has it',
      ...medianRate(loads.two),
    }),
  ];
}
