import { createServer } from 'node:http';
import { setTimeout as timeout } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';

/** Lighthouse's cheap phone on a slow mobile network: CPU 4 times slower, 150 ms, 1.6 Mbit/s. */
export const phone = {
  cpu: 4,
  latencyMs: 150,
  downBytesPerSecond: 1_638_400 / 8,
  upBytesPerSecond: 750_000 / 8,
};

/** Flags that keep frames in the page's process, so that its throttling applies to them. */
export const oneProcess = [
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,site-per-process',
];

/** Transferred bytes, by kind of resource. */
export type Weight = Readonly<Record<'document' | 'script' | 'style' | 'font' | 'image' | 'other', number>>;

const kinds: Readonly<Record<string, keyof Weight>> = {
  Document: 'document',
  Script: 'script',
  Stylesheet: 'style',
  Font: 'font',
  Image: 'image',
};

/** Returns the bytes that a page's own host sends with an empty cache, without its frame's. */
export async function weighPage(browser: Browser, url: string): Promise<Weight> {
  const { page, session } = await openPage(browser);
  const weight = { document: 0, script: 0, style: 0, font: 0, image: 0, other: 0 };
  const known = new Map<string, keyof Weight>();
  session.on('Network.responseReceived', ({ requestId, response, type }) => {
    if (new URL(response.url).origin === new URL(url).origin) known.set(requestId, kinds[type] ?? 'other');
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = known.get(requestId);
    if (kind) weight[kind] += encodedDataLength;
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.context().close();
  return weight;
}

/**
 * Returns the ms from the request for the page until the game in its frame says `playable`, on that phone, by the
 * browser's own clock.
 */
export async function timeToPlayable(browser: Browser, url: string): Promise<number> {
  const { page, session } = await openPage(browser);
  await session.send('Emulation.setCPUThrottlingRate', { rate: phone.cpu });
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: phone.latencyMs,
    downloadThroughput: phone.downBytesPerSecond,
    uploadThroughput: phone.upBytesPerSecond,
  });
  let beganMs: number | undefined;
  session.on('Network.requestWillBeSent', ({ wallTime }) => {
    beganMs ??= wallTime * 1_000;
  });
  await session.send('Runtime.enable');
  const said = new Promise<number>((resolve) => {
    session.on('Runtime.consoleAPICalled', ({ args, timestamp }) => {
      if (args[0]?.value === 'playable') resolve(timestamp);
    });
  });
  await page.goto(url, { waitUntil: 'commit' });
  const saidMs = await Promise.race([said, timeout(60_000, null, { ref: false })]);
  await page.context().close();
  if (saidMs === null || beganMs === undefined) throw new Error(`The game at ${url} did not begin.`);
  return saidMs - beganMs;
}

async function openPage(browser: Browser): Promise<{ page: Page; session: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  return { page, session };
}

/**
 * Starts a page that has only a frame, and the game in the frame, both from memory by bare `node:http`. No
 * page around a game can be faster.
 */
export async function startBarePage(
  files: Readonly<Record<string, Uint8Array>>,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const { host = '' } = request.headers;
    const isFrame = host.startsWith('frame.');
    const frame = `<!doctype html><title>Bare</title><iframe src="http://frame.${host}/"></iframe>`;
    const path = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1);
    const body = isFrame ? files[path] : Buffer.from(frame);
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(body ? 200 : 404, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://localhost:${address.port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
