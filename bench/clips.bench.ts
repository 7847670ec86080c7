import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserPool, openBrowserPool } from '../packages/server/src/platform/browser/pool.ts';
import type { VisitRequest } from '../packages/server/src/platform/browser/visit.ts';
import { createLog } from '../packages/server/src/platform/log.ts';
import { timed } from './lib/processes.ts';
import { type BenchResult, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { MissingTool } from './lib/tools.ts';

const rounds = 5;
const MiB = 1024 * 1024;

/** A typical game: it draws with WebGL, sixty times a second. */
const game = `<!doctype html><title>Bench</title><body style="margin:0"><canvas width="1280" height="720"></canvas><script>
  const gl = document.querySelector('canvas').getContext('webgl2');
  const bar = (x, shade) => { gl.scissor(x, 0, 160, 720); gl.clearColor(shade, 0.4, 1 - shade, 1); gl.clear(gl.COLOR_BUFFER_BIT); };
  gl.enable(gl.SCISSOR_TEST);
  let turn = 0;
  const draw = () => { turn++; for (let at = 0; at < 8; at++) bar(at * 160, ((at * 7 + turn / 30) % 8) / 8); requestAnimationFrame(draw); };
  draw();
</script>`;

const clip: Omit<VisitRequest, 'mapped'> = {
  url: 'http://game.play.localhost:3000/',
  staysOnHost: true,
  loadMs: 20_000,
  pictureMs: 8_000,
  afterMs: 0,
  watchMs: 0,
  clicksWhenBlank: false,
  readsDocuments: false,
  maxBytes: 64 * MiB,
};
const check: typeof clip = { ...clip, watchMs: 3_000, readsDocuments: true };

/** The cost of pictures and page checks: with a kept browser, and with a new browser for every page. */
export async function bench(): Promise<BenchResult> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(game),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const visit = async (pool: BrowserPool, request: typeof clip) => {
    const mapped = { host: new URL(request.url).host, port };
    const seen = await pool.visit({ ...request, mapped }, new AbortController().signal);
    if (seen.end !== 'seen' || seen.picture === null) throw new Error(`the visit ended as ${seen.end}`);
  };
  const inNew = async (request: typeof clip) => {
    const pool = openPool();
    await visit(pool, request);
    await pool.close();
  };
  const kept = openPool();
  try {
    if (!(await kept.isAvailable())) throw new MissingTool('chromium');
    const fresh = openPool();
    const startMs = await timed(() => fresh.isAvailable());
    await fresh.close();
    const times = await interleaved(rounds, {
      clip: () => timed(() => visit(kept, clip)),
      clipInNew: () => timed(() => inNew(clip)),
      check: () => timed(() => visit(kept, check)),
      checkInNew: () => timed(() => inNew(check)),
    });
    const perMinute = (milliseconds: number[]) => ({
      value: 60_000 / median(milliseconds),
      unit: 'a minute',
    });
    const name = 'a new browser for each';
    return {
      title: 'Clips and page checks',
      method: `One browser on the load's core, which has no graphics card, visits a game that draws with WebGL; median of ${rounds} rounds in turns. A check watches the page for ${check.watchMs / 1000} s, whatever it finds. Memory is what all of the browser's processes hold for themselves, its peak over the run.`,
      rows: [
        row('clips, two sizes of WebP', perMinute(times.clip), { name, ...perMinute(times.clipInNew) }),
        row('page checks', perMinute(times.check), { name, ...perMinute(times.checkInNew) }),
        row('memory of one browser', { value: kept.peakMemoryBytes() / 1e6, unit: 'MB' }),
        row('its start', { value: startMs, unit: 'ms' }),
      ],
    };
  } finally {
    await kept.close();
    server.close();
  }
}

function openPool(): BrowserPool {
  return openBrowserPool({
    browser: 'auto',
    sandbox: true,
    seats: 1,
    maxMemoryBytes: 1536 * MiB,
    allow: [],
    ownNames: ['localhost'],
    https: false,
    log: createLog({ LOG_LEVEL: 'silent' }),
  });
}
