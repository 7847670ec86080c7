import type { Browser } from 'playwright-core';
import { openBrowser } from '../packages/server/test/browser.ts';
import { rawRequest } from '../packages/server/test/raw-http.ts';
import { oneProcess, phone, startBarePage, timeToPlayable } from './lib/browser-load.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishLive } from './lib/publish-files.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { createToken, startService } from './lib/service.ts';
import { load, medianRate } from './lib/wrk.ts';

const rounds = Number(process.env.BENCH_MODULE_ROUNDS ?? 61);
const wrkRounds = 5;
const wrkSeconds = 2;
const roundTrips = 200;
/** Interval of calls, below the frame's limit of 30 messages a second. */
const everyMs = 40;

/** A game that reports its first frame. */
const game = {
  'index.html': Buffer.from(
    '<!doctype html><title>Game</title><canvas></canvas><script src="game.js"></script>',
  ),
  'game.js': Buffer.from(
    "const draw = document.querySelector('canvas').getContext('2d');\nrequestAnimationFrame(() => { draw.fillRect(0, 0, 100, 100); console.log('playable'); });",
  ),
};

/**
 * The cost of the player module for a space: bytes, time to its first frame, the server's work, and the time
 * of a call to the page and back.
 */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  await using service = await startService(folder.path);
  const { baseUrl, port } = service;
  const token = await createToken(folder.path);
  const urls = {
    with: await publishLive(baseUrl, token, game),
    without: await publishLive(baseUrl, token, game, { sdk: false }),
  };
  const pageOf = (url: string) => `${baseUrl}/s/${new URL(url).hostname.split('.')[0]}`;
  const rows = [await weight(port, urls.with)];
  const throttled = await openBrowser(undefined, oneProcess);
  try {
    const sides = {
      with: () => timeToPlayable(throttled, pageOf(urls.with)),
      without: () => timeToPlayable(throttled, pageOf(urls.without)),
    };
    await interleaved(1, sides);
    const times = await interleaved(rounds, sides);
    const added = times.with.map((ms, round) => ms - (times.without[round] ?? Number.NaN));
    rows.push(
      row(
        'what it adds to a playable frame on a slow phone',
        { value: median(added), unit: 'ms' },
        { name: 'the whole wait without it', value: median(times.without), unit: 'ms' },
        { of: 'ours', atMost: 50 },
      ),
      await ownWork(throttled, baseUrl),
    );
  } finally {
    await throttled.close();
  }
  const browser = await openBrowser(undefined, []);
  try {
    rows.push(await roundTrip(browser, pageOf(urls.with)));
  } finally {
    await browser.close();
  }
  rows.push(await entryPage(port, urls));
  return {
    title: 'The player module',
    method: `One service, one browser. Playable: as in «Pages», the same game with the module and without, in turns, nothing cached; the median of the differences in ${rounds} rounds. Reading and running: in a new frame, the median of 30. Round trip: ${roundTrips} calls from a space's frame that the page around it answers by itself, one every ${everyMs} ms, against a MessageChannel inside one page; the median. Entry page: wrk, 64 connections, ${wrkSeconds} s, ${wrkRounds} rounds in turns; the median.`,
    rows,
  };
}

async function weight(port: number, url: string): Promise<Row> {
  const headers = { 'accept-encoding': 'br' };
  const module = await rawRequest(port, new URL('/service/sdk.js', url).href, { headers });
  return row('the module, as browsers get it', { value: module.body.length / 1_024, unit: 'KiB' }, null, {
    of: 'ours',
    atMost: 8,
  });
}

/** Measures parsing and running the module in a frame of the service's page, without loading it. */
async function ownWork(browser: Browser, baseUrl: string): Promise<Row> {
  await using bare = await startBarePage(game);
  // Alone it would also load its second script.
  const text = (await (await fetch(`${baseUrl}/sdk.js`)).text()).replaceAll(
    baseUrl,
    new URL(bare.url).origin,
  );
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: phone.cpu });
  await page.goto(bare.url);
  const taken = await page.evaluate((module) => {
    return Array.from({ length: 30 }, () => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      const run: unknown = Reflect.get(frame.contentWindow ?? {}, 'eval');
      if (typeof run !== 'function') throw new Error('the frame runs nothing');
      const began = performance.now();
      run(module);
      const ms = performance.now() - began;
      frame.remove();
      return ms;
    });
  }, text);
  await page.close();
  return row('… of that, reading and running it', { value: median(taken), unit: 'ms' }, null, {
    of: 'ours',
    atMost: 50,
  });
}

async function roundTrip(browser: Browser, url: string): Promise<Row> {
  const page = await browser.newPage();
  await page.goto(url);
  const element = await page.waitForSelector('iframe.frame');
  await page.frameLocator('iframe.frame').locator('canvas').waitFor();
  const frame = await element.contentFrame();
  if (!frame) throw new Error('the page has no frame');
  await frame.evaluate('Spaceport.ready()');
  // The page refuses a value that is not a number without calling the service.
  const ours = await timed(
    (script) => frame.evaluate(script),
    "Spaceport.stats.set('none', Number.NaN).catch(({ code }) => { if (code !== 'invalid') throw new Error(code); })",
  );
  const reference = await timed(
    (script) => page.evaluate(script),
    `new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = ({ data }) => port2.postMessage(data);
      port1.onmessage = resolve;
      port1.postMessage(1);
    })`,
  );
  return row(
    'a call from the frame to the page and back, p50',
    { value: median(ours), unit: 'ms' },
    { name: 'a MessageChannel in one page', value: median(reference), unit: 'ms' },
    { of: 'ours', atMost: 1 },
  );
}

async function timed(run: (script: string) => Promise<unknown>, once: string): Promise<number[]> {
  const taken = await run(`(async () => {
    const taken = [];
    for (let count = 0; count < ${roundTrips}; count++) {
      await new Promise((resolve) => setTimeout(resolve, ${everyMs}));
      const began = performance.now();
      await ${once};
      taken.push(performance.now() - began);
    }
    return taken;
  })()`);
  return taken as number[];
}

async function entryPage(port: number, urls: { with: string; without: string }): Promise<Row> {
  const side = (url: string) => () =>
    load(`http://127.0.0.1:${port}/`, {
      headers: { Host: new URL(url).host, 'Accept-Encoding': 'br' },
      seconds: wrkSeconds,
    });
  const sides = { with: side(urls.with), without: side(urls.without) };
  await interleaved(1, sides);
  const results = await interleaved(wrkRounds, sides);
  return row(
    'the entry page with it',
    medianRate(results.with),
    { name: 'the entry page without', ...medianRate(results.without) },
    { of: 'ratio', atLeast: 0.9 },
  );
}
