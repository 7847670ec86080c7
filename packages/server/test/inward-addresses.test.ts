import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CountingListener, listenAndCount } from '../src/platform/safe-fetch/counting-listener.ts';
import { browserSetting } from './browser.ts';
import { listing, publishLive } from './files.ts';
import { type PageServer, proofTag, startPages } from './pages.ts';
import { type Persona, startService, type TestService } from './service.ts';

/** Hosts inside a machine or a network, in spellings that have passed the filters of other services. */
const inwardHosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    'localhost',
  ],
  ...['localhost.', 'LOCALHOST', 'ada.localhost', 'router', 'intranet.local', 'db.internal'],
  ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '[fc00::1]', '[fd12:3456::1]'],
  ...['169.254.169.254', '169.254.0.1', '[fe80::1]', '224.0.0.1', '255.255.255.255', '[ff02::1]'],
  // IPv4-mapped, IPv4-compatible, NAT64 (both prefixes), 6to4, Teredo.
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]'],
  ...['[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2002:a00:1::1]', '[2001:0:7f00:1::]'],
];

/** Returns the status and the text of an answer. They must be the same for all refused addresses. */
function answerOf(answer: { status: number; text(): string }): string {
  return `${answer.status} ${answer.text()}`;
}

/**
 * Covers every request of a user that makes the service open an address. Names that resolve to such an
 * address, also after their DNS answer has changed, are tested beside `safeFetch`, which takes the resolver.
 */
describe('addresses of this machine and of private networks', () => {
  let pages: PageServer;
  let inside: CountingListener;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    inside = await listenAndCount((_request, response) => response.end('<!doctype html><title>In</title>'));
    service = await startService({
      environment: {
        FETCH_ALLOW: pages.address,
        BROWSER: browserSetting(),
        MOVES_PER_10_MINUTES: '100000',
        LISTINGS_PER_HOUR: '100000',
      },
    });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await inside[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });

  /** Returns the addresses of all hosts on the web's ports, and on a port with a listening server. */
  const inward = () =>
    inwardHosts.flatMap((host) => [`http://${host}/`, `https://${host}/`, `http://${host}:${inside.port}/`]);
  const list = (url: string) => creator.call('POST', '/api/spaces', { url, ...listing });
  let count = 0;
  const newPath = () => `/page-${count++}`;
  async function listed(path = newPath()): Promise<{ slug: string; path: string }> {
    const answer = await list(pages.put(path, proofTag(creator.handle)));
    assert.equal(answer.status, 201, answer.text());
    return { slug: answer.json().slug, path };
  }
  const redirectTo = (location: string, path = newPath()) =>
    pages.put(path, { status: 302, headers: { location } });

  it('are refused by listing and moving, all with the same answer, and without a connection', async () => {
    const { slug } = await listed();
    const move = (url: string) => creator.call('POST', `/api/spaces/${slug}/move`, { url });
    for (const ask of [list, move]) {
      const direct = new Set<string>();
      const redirected = new Set<string>();
      for (const address of inward()) {
        const answer = await ask(address);
        assert.equal(answer.status, 422, `${address}: ${answer.text()}`);
        assert.equal(answer.json().error, 'invalid', address);
        direct.add(answerOf(answer));
        redirected.add(answerOf(await ask(redirectTo(address))));
      }
      assert.equal(direct.size, 1, [...direct].join('\n'));
      assert.deepEqual(redirected, direct);
    }
    const space = await creator.call('GET', `/api/spaces/${slug}`);
    assert.match(space.json().url, new RegExp(`^http://${pages.address}/`, 'u'));
    assert.equal(inside.connections(), 0);
  });

  it('are refused when a page leads there at its verification, all with the same answer', async () => {
    const path = newPath();
    const answer = await list(pages.put(path, ''));
    const { slug, claimed } = answer.json();
    assert.equal(claimed, false);
    const answers = new Set<string>();
    for (const address of inward()) {
      redirectTo(address, path);
      answers.add(answerOf(await creator.call('POST', '/api/spaces/verify', { slug })));
    }
    assert.equal(answers.size, 1, [...answers].join('\n'));
    assert.match([...answers].join(), /^422 /u);
    const unknown = new Set<string>();
    for (const address of inward()) {
      const answer = await creator.call('POST', '/api/spaces/verify', { url: address });
      unknown.add(`${answer.status} ${answer.json().error}`);
    }
    assert.equal(unknown.size, 1, [...unknown].join('\n'));
    assert.equal(inside.connections(), 0);
  });

  it('are not opened as icons of achievements, because the service only passes these on', async () => {
    const achievements = inwardHosts.slice(0, 20).map((host, index) => ({
      key: `a${index}`,
      title: 'A',
      icon: `https://${host.toLowerCase()}:${inside.port}/icon.png`,
    }));
    const page = { 'index.html': '<!doctype html><title>Icons</title><h1>Icons</h1>' };
    const published = await publishLive(service, creator, page, { achievements });
    assert.equal((await creator.client.readVersion({ params: { id: published.version.id } })).status, 'live');
    const block = JSON.stringify({ boards: [], stats: [], achievements });
    const head = `${proofTag(creator.handle)}<script type="application/service+json">${block}</script>`;
    const answer = await list(pages.put(newPath(), head));
    assert.equal(answer.status, 201, answer.text());
    await service.settle();
    assert.equal(inside.connections(), 0);
  });

  it('are not opened by the browser, whatever a listed or published page tries', async () => {
    const urls = inwardHosts.map((host) => `http://${host}:${inside.port}/x`);
    const html = `<!doctype html><title>Knock</title><body style="background:linear-gradient(teal,navy)"><h1>Knock</h1>
      ${urls.map((url) => `<img src="${url}"><link rel="preconnect" href="${url}"><iframe src="${url}"></iframe>`).join('')}
      <script>
        for (const url of ${JSON.stringify(urls)}) {
          fetch(url, { mode: 'no-cors' }).catch(() => {});
          try { new WebSocket(url.replace('http', 'ws')); } catch {}
        }
        fetch('/away', { mode: 'no-cors' }).catch(() => {});
      </script>`;
    redirectTo(`http://127.0.0.1:${inside.port}/away`, '/away');
    const path = newPath();
    const answer = await list(pages.put(path, { body: html }));
    assert.equal(answer.status, 201, answer.text());
    await service.settle();
    const space = await creator.call('GET', `/api/spaces/${answer.json().slug}`);
    assert.equal(space.json().clip?.take, 1, 'the browser was there, and took a picture');
    assert.ok(pages.asked('/away') > 0, 'and its script ran');

    // The same page now redirects inward before the browser comes.
    redirectTo(`http://127.0.0.1:${inside.port}/`, path);
    const again = await creator.call('POST', '/api/spaces/recapture', { slug: answer.json().slug });
    assert.equal(again.status, 202, again.text());
    await service.settle();
    const after = await creator.call('GET', `/api/spaces/${answer.json().slug}`);
    assert.equal(after.json().clip?.take, 1, 'there was nothing to take a picture of');

    const published = await publishLive(service, creator, { 'index.html': html });
    const version = await creator.client.readVersion({ params: { id: published.version.id } });
    assert.ok(version.report?.page?.loaded, JSON.stringify(version.report));
    assert.ok((version.report.page.failedRequests.length ?? 0) > 0);
    assert.equal(inside.connections(), 0);
  });
});
