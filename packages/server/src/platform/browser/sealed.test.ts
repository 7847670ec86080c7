import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { browserSetting, openBrowser } from '../../../test/browser.ts';
import { type CountingListener, listenAndCount } from '../safe-fetch/counting-listener.ts';
import { type BrowserPool, openBrowserPool } from './pool.ts';
import type { VisitRequest } from './visit.ts';

const never = new AbortController().signal;

/** A page that connects to a TCP and a UDP port of this machine in every way that pages have. */
function knockingPage(tcp: number, udp: number, otherSpace: string): string {
  return `<!doctype html><body style="background:linear-gradient(teal,navy);height:100vh">
    <link rel="preconnect" href="http://127.0.0.1:${tcp}"><link rel="dns-prefetch" href="http://127.0.0.1:${tcp}">
    <link rel="prefetch" href="http://127.0.0.1:${tcp}/prefetch"><link rel="stylesheet" href="http://127.0.0.1:${tcp}/style">
    <script type="speculationrules">{ "prefetch": [{ "urls": ["http://127.0.0.1:${tcp}/speculation"] }] }</script>
    <iframe src="http://localhost:${tcp}/frame"></iframe><iframe name="target"></iframe>
    <form target="target" method="post" action="http://127.0.0.1:${tcp}/form"></form>
    <script>
      document.forms[0].submit();
      const quietly = (knock) => { try { Promise.resolve(knock()).catch(() => {}); } catch {} };
      const hosts = ['127.0.0.1:${tcp}', 'localhost:${tcp}', '[::ffff:127.0.0.1]:${tcp}', '0.0.0.0:${tcp}', '2130706433:${tcp}', '${otherSpace}'];
      for (const host of hosts) {
        quietly(() => fetch('http://' + host + '/fetch', { mode: 'no-cors' }));
        quietly(() => new WebSocket('ws://' + host + '/socket'));
        quietly(() => { new Image().src = 'http://' + host + '/image'; });
      }
      quietly(() => navigator.sendBeacon('http://127.0.0.1:${tcp}/beacon', 'x'));
      quietly(() => new EventSource('http://127.0.0.1:${tcp}/events'));
      quietly(() => fetch('/away', { mode: 'no-cors' }));
      quietly(() => window.open('http://127.0.0.1:${tcp}/window'));
      quietly(() => new WebTransport('https://127.0.0.1:${udp}/transport').ready);
      const work = 'fetch("http://127.0.0.1:${tcp}/worker", { mode: "no-cors" })';
      quietly(() => new Worker(URL.createObjectURL(new Blob([work]))));
      quietly(async () => {
        const peer = new RTCPeerConnection({ iceServers: [
          { urls: ['stun:127.0.0.1:${udp}'] },
          { urls: ['turn:127.0.0.1:${tcp}?transport=tcp', 'turn:127.0.0.1:${udp}?transport=udp'], username: 'a', credential: 'b' },
        ] });
        peer.createDataChannel('x');
        await peer.setLocalDescription(await peer.createOffer());
        await peer.setRemoteDescription({ type: 'answer', sdp: peer.localDescription.sdp
          .replace('a=setup:actpass', 'a=setup:active') + 'a=candidate:1 1 udp 2122260223 127.0.0.1 ${udp} typ host\\r\\n' });
      });
    </script>`;
}

describe('a sealed browser', () => {
  let inside: CountingListener;
  let datagrams = 0;
  let socket: Socket;
  let page: CountingListener;
  let html = '';
  let pool: BrowserPool;
  before(async () => {
    inside = await listenAndCount((_request, response) => response.end('inside'));
    socket = createSocket('udp4', () => {
      datagrams++;
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    page = await listenAndCount((request, response) => {
      if (request.url === '/away')
        response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end();
      else response.setHeader('content-type', 'text/html').end(html);
    });
    html = knockingPage(inside.port, socket.address().port, `other.play.localhost:${inside.port}`);
    pool = openBrowserPool({
      browser: browserSetting(),
      sandbox: true,
      seats: 1,
      maxMemoryBytes: 1536 * 1024 * 1024,
      allow: [],
      ownNames: ['localhost', 'play.localhost'],
      https: false,
      log: pino({ level: 'silent' }),
    });
  });
  after(async () => {
    await pool.close();
    socket.close();
    await inside[Symbol.asyncDispose]();
    await page[Symbol.asyncDispose]();
  });

  function visit(port: number): Promise<Awaited<ReturnType<BrowserPool['visit']>>> {
    const request: VisitRequest = {
      url: 'http://game.play.localhost:3000/',
      mapped: { host: 'game.play.localhost:3000', port },
      staysOnHost: true,
      loadMs: 15_000,
      pictureMs: 8_000,
      afterMs: 0,
      watchMs: 4_000,
      clicksWhenBlank: false,
      readsDocuments: true,
      maxBytes: 1024 * 1024,
    };
    return pool.visit(request, never);
  }

  it('lets a page reach its own files, and nothing on this machine or network', async () => {
    const { end, failedRequests, status } = await visit(page.port);
    assert.deepEqual([end, status], ['seen', 200]);
    assert.ok(page.connections() > 0);
    assert.equal(inside.connections(), 0);
    assert.equal(datagrams, 0);
    const refused = failedRequests.map(({ url }) => new URL(url).pathname);
    for (const path of ['/fetch', '/image', '/frame', '/style'])
      assert.ok(refused.includes(path), refused.join());
  });

  it('is needed: the same page in an unsealed browser reaches the network', async () => {
    await using browser = await openBrowser();
    const open = await browser.newPage();
    // Does not wait for everything to load: some of its requests never get a response.
    await open.goto(`http://127.0.0.1:${page.port}/`, { waitUntil: 'commit' });
    const answered = () => inside.connections() > 5 && datagrams > 0;
    for (let look = 0; look < 1_000 && !answered(); look++)
      await open.evaluate(() => new Promise(requestAnimationFrame));
    assert.ok(answered(), `${inside.connections()} connections, ${datagrams} datagrams`);
  });
});
