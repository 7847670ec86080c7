import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { onceFree } from './answers.ts';
import { type Files, publishLive } from './files.ts';
import { type RawAnswer, rawRequest } from './raw-http.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type Persona, startService, type TestService } from './service.ts';

const onPostgres = process.env.TEST_ENGINE === 'postgres';
const loads = 200;
const atOnce = 4;
/** One in so many loads reads the space's page. The others take the frame's address from the last swap. */
const pageEvery = 25;

const picture = randomBytes(3_000);
const files = ['first.js', 'second.js', 'third.css', 'by-root.js'] as const;
const game = (mark: string): Files => ({
  'index.html': `<!doctype html><title>${mark}</title><script src="first.js"></script>`,
  ...Object.fromEntries(files.map((path) => [path, `/* ${mark} */`])),
  'same.png': picture,
  'own.png': Buffer.concat([Buffer.from(mark), picture]),
});
const marks = ['one', 'two', 'three'];

/** On PostgreSQL two processes answer. On SQLite there can be only one. */
describe('loads of a space whose live version changes all the time', () => {
  let service: TestService;
  let creator: Persona;
  let second: ServerProcess | undefined;
  before(async () => {
    service = await startService();
    creator = await service.creator();
    if (!onPostgres) return;
    const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = service.service.config;
    const shared = { ...service.environment, BASE_URL, PLAY_HOST, PREVIEW_HOST, PORT: '0' };
    second = await startServerProcess(shared, { role: 'serve' });
  });
  after(async () => {
    await second?.end();
    await service?.close();
  });

  it('each get files of one version only, whichever node answers', async () => {
    let slug = '';
    for (const mark of marks)
      slug = (await publishLive(service, creator, game(mark), slug === '' ? {} : { space: slug })).space.slug;
    const origin = service.service.platform.urls.live(slug);
    const ports = [service.port, second?.listeningPort ?? service.port];
    let asked = 0;
    const ask = (url: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
      onceFree(() => rawRequest(ports[asked++ % 2] ?? service.port, url, { headers }));

    let live = marks.length;
    let swaps = 0;
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) {
        const version = (live % marks.length) + 1;
        const answer = await rawRequest(
          ports[swaps % 2] ?? service.port,
          `${service.baseUrl}/api/v1/hosting/spaces/${slug}/rollback`,
          {
            method: 'POST',
            headers: { authorization: `Bearer ${creator.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ version }),
          },
        );
        assert.equal(answer.status, 200, answer.text());
        live = version;
        swaps++;
      }
    })();

    /** Returns the address in the frame: for some loads from the page, for the others from the last swap. */
    const frame = async (load: number): Promise<string> => {
      if (load % pageEvery !== 0) return `${origin}~${live}/`;
      const page = await ask(`${service.baseUrl}/s/${slug}`);
      return /<iframe [^>]*src="([^"]+)"/u.exec(page.text())?.[1] ?? page.text();
    };

    let overSwap = 0;
    const load = async (number: number): Promise<void> => {
      const begun = swaps;
      const base = await frame(number);
      const entry = await ask(base);
      assert.equal(entry.status, 200, base);
      const mark = /<title>(\w+)/u.exec(entry.text())?.[1] ?? '';
      assert.equal(base, `${origin}~${marks.indexOf(mark) + 1}/`);
      for (const path of files) {
        const address = path === 'by-root.js' ? origin + path : base + path;
        const file = await ask(address, { referer: base });
        assert.equal(file.text(), `/* ${mark} */`, `${base}, ${path}`);
      }
      const own = await ask(`${base}own.png`);
      assert.deepEqual([own.status, own.body.subarray(0, mark.length).toString()], [200, mark]);
      const led = await ask(`${base}same.png`);
      const same = led.status === 307 ? await ask(new URL(led.headers.location ?? '', base).href) : led;
      assert.deepEqual([same.status, same.body.equals(picture)], [200, true]);
      if (swaps > begun) overSwap++;
    };
    let next = 0;
    const loading = Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < loads) await load(next++);
      }),
    ).finally(() => {
      isOver = true;
    });
    await Promise.all([loading, swapping]);
    assert.ok(overSwap > loads / 10, `a swap fell into ${overSwap} of ${loads} loads`);
  });
});
