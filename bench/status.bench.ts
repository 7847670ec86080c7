import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBareHttp } from './lib/bare-http.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishFiles } from './lib/publish-files.ts';
import { type BenchResult, row } from './lib/result.ts';
import { interleaved } from './lib/rounds.ts';
import { createToken, startService } from './lib/service.ts';
import { tokenCost } from './lib/token-cost.ts';
import { load, medianP99, medianRate } from './lib/wrk.ts';

const rounds = 10;
const seconds = 2;

/** Reading a version's status, beside `node:http` with the same bytes from memory. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  await using service = await startService(data);
  const token = await createToken(data);
  const files = { 'index.html': Buffer.from('<!doctype html><title>Bench</title>') };
  const { version } = await publishFiles(service.baseUrl, token, files, { live: true });

  const path = `/api/v1/hosting/versions/${version.id}`;
  const headers = { Host: `localhost:${service.port}`, authorization: `Bearer ${token}` };
  const answer = await fetch(`${service.baseUrl}${path}`, { headers });
  if (!answer.ok) throw new Error(`the status read answered ${answer.status}`);
  const bodyFile = join(folder.path, 'status.json');
  await writeFile(bodyFile, await answer.text());
  await using bare = await startBareHttp(bodyFile);

  const sides = {
    ours: () => load(`http://127.0.0.1:${service.port}${path}`, { headers, seconds }),
    bare: () => load(`${bare.baseUrl}${path}`, { headers, seconds }),
  };
  // The first answers fill caches and compile code.
  await interleaved(2, sides);
  const results = await interleaved(rounds, sides);
  const name = 'bare node:http';
  const rate = medianRate(results.ours);
  const wholeRead = { name: 'the whole status read', value: 1e6 / rate.value, unit: 'µs' };
  const cost = await tokenCost(data, token);
  return {
    title: 'The status read',
    method: `GET of a live version's status with a token, from the whole service with its log, against bare node:http with the same bytes. wrk, 64 connections, ${seconds} s each, ${rounds} rounds in turns; the median of the rounds, also of what a token costs, which is timed without HTTP.`,
    rows: [
      row('status read', rate, { name, ...medianRate(results.bare) }, { of: 'ratio', atLeast: 0.6 }),
      row('… p99', medianP99(results.ours), { name, ...medianP99(results.bare) }),
      row('… of that, a token that is remembered', { value: cost.rememberedUs, unit: 'µs' }, wholeRead),
      row('… and one that is looked up', { value: cost.lookedUpUs, unit: 'µs' }, wholeRead),
    ],
  };
}
