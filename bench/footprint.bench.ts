import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@spaceport/client/client';
import { httpUploads } from '@spaceport/client/node/http-upload';
import { publish } from '@spaceport/client/publish';
import type { SourceFile } from '@spaceport/client/source';
import { startBareHttp } from './lib/bare-http.ts';
import { memoryOf, memoryOfAll, watchMemoryOfAll } from './lib/memory.ts';
import { openData } from './lib/open-data.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishFiles } from './lib/publish-files.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { seedBlobs } from './lib/seed.ts';
import { createToken, startService } from './lib/service.ts';
import { load } from './lib/wrk.ts';

const rounds = 5;
const idleSeconds = 10;
const uploads = 50;
const uploadBytes = 20_000_000;
/** Enough to pack the files. */
const packingSeconds = 20;
const seededRows = 200_000;

/** The start time of the service, and its memory. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const filled = join(folder.path, 'filled');
  await mkdir(filled);
  const token = await createToken(filled);
  await seedInto(filled);
  const bodyFile = join(folder.path, 'body');
  await writeFile(bodyFile, 'ok');
  const hasProc = existsSync('/proc/self/status');
  return {
    title: 'Start and memory',
    method: `From the start of the process to its first answer, median of ${rounds} in turns, on a folder with nothing in it and on one with ${seededRows.toLocaleString('en')} files in its tables. Memory is resident memory as Linux counts it, of the service and the processes that it starts, with pages that they share counted once: ${idleSeconds} s after the start, after 10 s of wrk on a hosted file and on the status read, and the peak while ${uploads} files of ${uploadBytes / 1e6} MB are uploaded at once, checked and packed.`,
    rows: [
      ...(await startRows(folder.path, filled, bodyFile)),
      ...(hasProc ? await memoryRows(filled, token, bodyFile) : []),
    ],
    missing: hasProc ? [] : ['memory: this system has no /proc'],
  };
}

async function seedInto(dataFolder: string): Promise<void> {
  await using data = await openData(dataFolder);
  await seedBlobs(data.platform, 'bench', seededRows);
}

async function startRows(folder: string, filled: string, bodyFile: string): Promise<Row[]> {
  const startedOn = async (data: string) => {
    await using service = await startService(data);
    return service.startMs;
  };
  const sides = {
    empty: async () => {
      const data = join(folder, 'empty');
      await mkdir(data);
      const time = await startedOn(data);
      await rm(data, { recursive: true });
      return time;
    },
    filled: () => startedOn(filled),
    bare: async () => {
      await using server = await startBareHttp(bodyFile);
      return server.startMs;
    },
  };
  await interleaved(1, sides);
  const results = await interleaved(rounds, sides);
  const ms = (times: number[]) => ({ value: median(times), unit: 'ms' });
  const bare = { name: 'bare node:http', ...ms(results.bare) };
  const aim = { of: 'ours', atMost: 400 } as const;
  return [
    row('first start, to the first answer', ms(results.empty), bare, aim),
    row('a later start, with data', ms(results.filled), bare, aim),
  ];
}

async function memoryRows(data: string, token: string, bodyFile: string): Promise<Row[]> {
  await using bare = await startBareHttp(bodyFile);
  await using service = await startService(data);
  const pid = service.child.pid ?? 0;
  await pause(idleSeconds * 1000);
  const reference = { name: 'bare node:http', value: memoryOf(bare.pid).nowMB, unit: 'MB' };
  const idleMB = memoryOfAll(pid);

  await putLoadOn(service.port, token);
  const loadedMB = memoryOfAll(pid);
  const watch = watchMemoryOfAll(pid);
  await uploadAtOnce(service.baseUrl, token);
  await pause(packingSeconds * 1000);
  const peakMB = watch.stop();
  const mb = (value: number) => ({ value, unit: 'MB' });
  return [
    row('memory, idle', mb(idleMB), reference, { of: 'ours', atMost: 120 }),
    row('… after load', mb(loadedMB), reference),
    row(`… at most, during ${uploads} uploads of ${uploadBytes / 1e6} MB at once`, mb(peakMB), null, {
      of: 'ours',
      atMost: 400,
    }),
  ];
}

async function putLoadOn(port: number, token: string): Promise<void> {
  const files = { 'index.html': Buffer.alloc(10_000, '<p>Bench</p>') };
  const { version, space } = await publishFiles(`http://localhost:${port}`, token, files, { live: true });
  const address = `http://127.0.0.1:${port}`;
  await load(`${address}/`, { headers: { Host: new URL(space.url).host }, seconds: 5 });
  const headers = { Host: `localhost:${port}`, authorization: `Bearer ${token}` };
  await load(`${address}/api/v1/hosting/versions/${version.id}`, { headers, seconds: 5 });
}

async function uploadAtOnce(baseUrl: string, token: string): Promise<void> {
  const upload = httpUploads({ maxSockets: uploads });
  try {
    await publish(createClient({ baseUrl, token }), {
      source: { files: [page, ...Array.from({ length: uploads }, (_, index) => largeFile(index))] },
      details: { fields: { title: 'Bench', space_type: 'game', devices: ['desktop'] } },
      concurrency: uploads,
      upload,
    });
  } finally {
    upload.close();
  }
}

/** A small page, because the check parses pages, and the cost of that is another figure. */
const pageText = Buffer.from('<!doctype html><title>Bench</title>');
const page: SourceFile = {
  path: 'index.html',
  size: pageText.length,
  sha256: createHash('sha256').update(pageText).digest('hex'),
  open: async () => pageText,
};

const chunk = Buffer.alloc(100_000, 'a game of many parts ');

/** A large file that is generated while it is sent, so that this process need not hold all of them. */
function largeFile(index: number): SourceFile {
  const head = Buffer.from(`${index}`.padEnd(chunk.byteLength, ' '));
  async function* bytes() {
    yield head;
    for (let sent = head.byteLength; sent < uploadBytes; sent += chunk.byteLength) yield chunk;
  }
  const hash = createHash('sha256').update(head);
  for (let sent = head.byteLength; sent < uploadBytes; sent += chunk.byteLength) hash.update(chunk);
  return {
    path: `large-${index}.bin`,
    size: uploadBytes,
    sha256: hash.digest('hex'),
    open: async () => bytes(),
  };
}
