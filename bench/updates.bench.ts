import { createHash, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { quickPainting } from '../packages/server/src/platform/browser/flags.ts';
import { openProfile } from '../packages/server/test/browser.ts';
import { type RawAnswer, rawRequest } from '../packages/server/test/raw-http.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishFiles } from './lib/publish-files.ts';
import { type BenchResult, row } from './lib/result.ts';
import { createToken, startService } from './lib/service.ts';

const mebibyte = 1024 * 1024;
const engineBytes = 12 * mebibyte;
const codeAt = 20 * mebibyte;
const pictures = 192;
const packMs = 60_000;

type Files = Record<string, Uint8Array<ArrayBuffer>>;
interface Visit {
  readonly requests: number;
  readonly bytes: number;
}

/** The requests of a returning player's browser: at a second visit, and after an update. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  await using service = await startService(folder.path);
  const { baseUrl, port } = service;
  const token = await createToken(folder.path);
  const engine = await machineCode();
  const changed = Buffer.from(engine);
  changed.writeUInt32LE(0x1234_5678, engineBytes / 2);
  const shared = Object.fromEntries(
    Array.from({ length: pictures }, (_, index) => [`img/${index}.png`, randomBytes(4_096)]),
  );
  const game = (mark: string, wasm: Uint8Array<ArrayBuffer>): Files => ({
    ...shared,
    'index.html': Buffer.from(page),
    'game.js': Buffer.from(`const mark = '${mark}';`),
    'level.data': randomBytesOnce,
    'engine.wasm': wasm,
  });
  const publish = (files: Files, space?: string) =>
    publishFiles(baseUrl, token, files, { live: true, ...(space === undefined ? {} : { space }) });

  const { space } = await publish(game('one', engine));
  const pageUrl = `${baseUrl}/s/${space.slug}`;
  const dictionaries = await openProfile();
  const plain = await openProfile({}, [
    ...quickPainting,
    '--disable-features=CompressionDictionaryTransport',
  ]);
  try {
    const first = await visit(dictionaries, pageUrl, 'one');
    const second = await visit(dictionaries, pageUrl, 'one');
    await visit(plain, pageUrl, 'one');
    await publish(game('two', changed), space.slug);
    const delta = await packed(port, `${space.url}~2/engine.wasm`, 'dcz', engine);
    const brotli = await packed(port, `${space.url}~2/engine.wasm`, 'br', engine);
    const updated = await visit(dictionaries, pageUrl, 'two');
    const without = await visit(plain, pageUrl, 'two');
    const fresh = await whole(pageUrl, 'two');
    return {
      title: 'Second visits and updates',
      method: `A game of ${pictures + 4} files, ${engineBytes / mebibyte} MiB of machine code as its wasm, in Chromium with its cache on disk: what goes over the wire for the frame. The update changes a constant in the wasm and a small script.`,
      rows: [
        row(
          'requests of a second visit',
          { value: second.requests, unit: 'requests' },
          { name: 'the first', value: first.requests, unit: 'requests' },
          { of: 'ours', atMost: 3 },
        ),
        row(
          'a changed constant in the wasm',
          { value: delta.body.length, unit: 'bytes' },
          { name: 'its brotli form', value: brotli.body.length, unit: 'bytes' },
          { of: 'ratio', atMost: 0.02 },
        ),
        row(
          'bytes of a visit after the update',
          { value: updated.bytes, unit: 'bytes' },
          { name: 'a first visit to it', value: fresh.bytes, unit: 'bytes' },
        ),
        row(
          '… in a browser without dictionaries',
          { value: without.bytes, unit: 'bytes' },
          { name: 'a first visit to it', value: fresh.bytes, unit: 'bytes' },
        ),
      ],
    };
  } finally {
    await dictionaries.close();
    await plain.close();
  }
}

const randomBytesOnce = randomBytes(8 * mebibyte);
const page = `<!doctype html><title>loading</title><script src="game.js"></script><script>
  const paths = ['engine.wasm', 'level.data', ...Array.from({ length: ${pictures} }, (_, index) => 'img/' + index + '.png')];
  Promise.all(paths.map(async (path) => (await fetch(path)).arrayBuffer())).then(() => { document.title = mark; });
</script>`;

/** Returns real machine code, from the running program, because random bytes cannot be compressed. */
async function machineCode(): Promise<Buffer<ArrayBuffer>> {
  const file = await open(process.execPath);
  try {
    const bytes = Buffer.alloc(engineBytes);
    await file.read(bytes, 0, engineBytes, codeAt);
    return bytes;
  } finally {
    await file.close();
  }
}

/** Returns the file in a coding, as soon as the service has made it. */
async function packed(port: number, url: string, coding: string, dictionary: Uint8Array): Promise<RawAnswer> {
  const id = createHash('sha256').update(dictionary).digest('base64');
  const headers = { 'accept-encoding': coding, 'available-dictionary': `:${id}:` };
  const end = performance.now() + packMs;
  for (;;) {
    const answer = await rawRequest(port, url, { headers });
    if (answer.headers['content-encoding'] === coding) return answer;
    if (performance.now() > end) throw new Error(`there is no ${coding} of ${url}`);
    await after(500);
  }
}

async function whole(url: string, mark: string): Promise<Visit> {
  const context = await openProfile();
  try {
    return await visit(context, url, mark);
  } finally {
    await context.close();
  }
}

async function visit(context: BrowserContext, url: string, mark: string): Promise<Visit> {
  const opened = await context.newPage();
  await opened.goto(url);
  const element = await opened.waitForSelector('iframe.frame');
  const frame = await element.contentFrame();
  if (!frame) throw new Error('the page has no frame');
  await frame.waitForFunction(`document.title === ${JSON.stringify(mark)}`, null, { timeout: packMs });
  const sizes = await frame.evaluate(() =>
    performance
      .getEntries()
      .flatMap((entry) => (entry instanceof PerformanceResourceTiming ? entry.transferSize : []))
      .filter((size) => size > 0),
  );
  await opened.close();
  return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
