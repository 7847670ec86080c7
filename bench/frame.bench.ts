import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBareHttp } from './lib/bare-http.ts';
import { measuredLoad, medianCpu } from './lib/measured-load.ts';
import { temporaryFolder } from './lib/processes.ts';
import { type BenchResult, row } from './lib/result.ts';
import { interleaved } from './lib/rounds.ts';
import { startService } from './lib/service.ts';

const rounds = 7;
const seconds = 2;
const path = '/healthz';

/** The framework's cost per request of the app, beside `node:http` with the same bytes. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  await using service = await startService(join(folder.path, 'data'), { role: 'serve' });
  await using silent = await startService(join(folder.path, 'silent'), {
    role: 'serve',
    environment: { LOG_LEVEL: 'silent' },
  });
  const bodyFile = join(folder.path, 'empty.json');
  await writeFile(bodyFile, await (await fetch(`${service.baseUrl}${path}`)).text());
  await using bare = await startBareHttp(bodyFile);

  const ask = ({ port, child }: typeof service) =>
    measuredLoad(`http://127.0.0.1:${port}${path}`, child.pid, {
      headers: { Host: `localhost:${port}` },
      seconds,
    });
  const sides = {
    ours: () => ask(service),
    silent: () => ask(silent),
    bare: () => measuredLoad(`${bare.baseUrl}${path}`, bare.pid, { seconds }),
  };
  // The first answers fill caches and compile code.
  await interleaved(2, sides);
  const results = await interleaved(rounds, sides);
  const reference = { name: 'bare node:http', ...medianCpu(results.bare) };
  return {
    title: 'The frame of a request',
    method: `GET of ${path}, which does nothing but go through what every request of the app does: its host, its turn, the router, an id, the guards of its answer, a log line and the metrics; against bare node:http with the same bytes. CPU time of a request, user and system. wrk, 64 connections, ${seconds} s each, ${rounds} rounds in turns after two to warm up; medians.`,
    rows: [
      row('CPU time of an empty answer', medianCpu(results.ours), reference, { of: 'ratio', atMost: 2 }),
      row('… without its log line', medianCpu(results.silent), reference),
    ],
  };
}
