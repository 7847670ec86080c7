import { join } from 'node:path';
import { openBrowser } from '../packages/server/test/browser.ts';
import { oneProcess, startBarePage, timeToPlayable, type Weight, weighPage } from './lib/browser-load.ts';
import { rareWord } from './lib/gallery-data.ts';
import { compareGalleries } from './lib/gallery-load.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishLive } from './lib/publish-files.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { createToken, startService } from './lib/service.ts';

const rounds = 7;
const spaces = 10_000;

/** A game that draws, and says so after its first frame. */
const game = {
  'index.html': Buffer.from(
    '<!doctype html><title>Game</title><canvas></canvas><script src="game.js"></script>',
  ),
  'game.js': Buffer.from(
    "const draw = document.querySelector('canvas').getContext('2d');\nrequestAnimationFrame(() => { draw.fillRect(0, 0, 100, 100); console.log('playable'); });",
  ),
};

/** The weight of a player's page, the time until its game runs, and the cost of a full gallery. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const missing: string[] = [];
  const rows = [...(await pages(folder.path)), ...(await compareGalleries(folder.path, spaces, missing))];
  return {
    title: 'Pages',
    method: `Weight: what the app sends for a page with nothing cached, compressed, without what its frame loads. Playable: from the call for the page to the first frame that a game has drawn in it, on a phone (CPU 4 times slower, 150 ms, 1.6 Mbit/s; everything in one process of the browser), against a page with nothing but a frame from bare node:http, in turns; the median of ${rounds}. Gallery: wrk, 16 connections, on a service with ${spaces.toLocaleString('en')} spaces and on one with 10, in turns, with the limit of searches raised; the median of the rounds. «${rareWord}» is in one title of a thousand; of the words that are nowhere each request has another one.`,
    rows,
    missing,
  };
}

async function pages(folder: string): Promise<Row[]> {
  const data = join(folder, 'pages');
  await using service = await startService(data);
  const live = await publishLive(service.baseUrl, await createToken(data), game);
  const slug = new URL(live).hostname.split('.')[0];
  await using bare = await startBarePage(game);
  const browser = await openBrowser(undefined, oneProcess);
  try {
    const weights = {
      'the gallery': await weighPage(browser, `${service.baseUrl}/`),
      'a space’s page': await weighPage(browser, `${service.baseUrl}/s/${slug}`),
      'a creator’s page': await weighPage(browser, `${service.baseUrl}/@bench`),
    };
    const sides = {
      ours: () => timeToPlayable(browser, `${service.baseUrl}/s/${slug}`),
      bare: () => timeToPlayable(browser, bare.url),
    };
    await interleaved(1, sides);
    const { ours, bare: reference } = await interleaved(rounds, sides);
    return [
      ...Object.entries(weights).flatMap(([name, weight]) => weightRows(name, weight)),
      row(
        'a playable frame on a slow phone',
        { value: median(ours), unit: 'ms' },
        { name: 'a bare page with the same frame', value: median(reference), unit: 'ms' },
        { of: 'ratio', atMost: 1.5 },
      ),
    ];
  } finally {
    await browser.close();
  }
}

function weightRows(name: string, weight: Weight): Row[] {
  const kilobytes = (bytes: number) => ({ value: bytes / 1_000, unit: 'KB' });
  const all = Object.values(weight).reduce((sum, bytes) => sum + bytes, 0);
  return [
    row(`script of ${name}`, kilobytes(weight.script), null, { of: 'ours', atMost: 120 }),
    row(`… its styles`, kilobytes(weight.style)),
    row(`… all of it, with fonts and pictures`, kilobytes(all)),
  ];
}
