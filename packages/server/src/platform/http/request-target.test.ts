import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { publishLive } from '../../../test/files.ts';
import { startService, type TestService } from '../../../test/service.ts';
import '../../../test/one-engine.ts';

describe('the host of a request', () => {
  let service: TestService;
  /** `host:port` of the app. `play` has that of a space's content. */
  let app: string;
  let play: string;
  before(async () => {
    service = await startService();
    const { space } = await publishLive(service, await service.creator());
    app = new URL(service.baseUrl).host;
    play = new URL(service.service.platform.urls.live(space.slug)).host;
  });
  after(() => service.close());

  /** Sends these lines. Returns what the service sends until it ends the connection. */
  function send(lines: readonly string[]): Promise<{ status: number; text: string }> {
    const { port } = new URL(service.baseUrl);
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1');
      socket.setEncoding('utf8');
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve({ status: Number(text.slice(9, 12)), text }));
      socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    });
  }

  it('must be named once', async () => {
    for (const hosts of [
      [app, app],
      [app, play],
      [play, app],
      [play, 'elsewhere.example'],
    ]) {
      const answer = await send(['GET / HTTP/1.1', ...hosts.map((host) => `hOst: ${host}`)]);
      assert.equal(answer.status, 400, hosts.join());
      assert.match(answer.text, /"error":"invalid","message":"The request has more than one Host/u);
      assertUsualHead(answer.text);
    }
  });

  it('must be named, and the target be a path', async () => {
    const none = await send(['GET /healthz HTTP/1.1']);
    assert.equal(none.status, 400);
    assert.match(none.text, /"error":"invalid","message":"The request has no Host/u);
    assertUsualHead(none.text);
    const hosting = await send(['GET /api/v1/hosting/claim HTTP/1.1']);
    assert.match(hosting.text, /"error":"The request has no Host header.","code":"invalid_request"/u);
    assert.equal(hosting.status, 400);
    const star = await send(['GET * HTTP/1.1', `Host: ${app}`]);
    assert.equal(star.status, 400);
    assertUsualHead(star.text);
    const probe = await send(['GET /healthz HTTP/1.0']);
    assert.equal(probe.status, 200);
  });

  it('does not matter for an expectation that the server does not know', async () => {
    for (const host of [app, play, 'elsewhere.example']) {
      const expecting = [`Host: ${host}`, 'Expect: a-miracle', 'Content-Length: 2'];
      const answer = await send(['POST /api/agent/login HTTP/1.1', ...expecting]);
      assert.equal(answer.status, 417);
      assert.match(answer.text, /"error":"invalid","message":"The server does not meet/u);
      assertUsualHead(answer.text);
    }
  });

  it('is that of an absolute URL, whatever the Host header says', async () => {
    for (const other of [app, play, 'elsewhere.example']) {
      const get = (url: string) => send([`GET ${url} HTTP/1.1`, `Host: ${other}`]);
      const me = await get(`http://${app}/api/agent/me`);
      assert.equal(me.status, 401);
      const game = await get(`HTTPS://${play.toUpperCase()}/index.html?v=1`);
      assert.match(game.text, /Moon Hopper/u);
      assert.equal((await get(`http://${play}`)).status, 200);
      assert.equal((await get(`http://${play}?v=1`)).status, 200);
      for (const foreign of [
        'http://elsewhere.example/',
        `http://${app}@elsewhere.example/`,
        `http://elsewhere.example@${app}/api/agent/me`,
        'http:///index.html',
      ]) {
        const answer = await get(foreign);
        assert.equal(answer.status, 421, foreign);
        assert.match(answer.text, /"error":"wrong_host"/u);
        assertUsualHead(answer.text);
      }
    }
  });
});

/** Checks what every answer carries. */
function assertUsualHead(text: string): void {
  assert.match(text, /\r\nx-request-id: [0-9a-f-]{36}\r\n/u);
  assert.match(text, /\r\ncontent-type: application\/json; charset=utf-8\r\n/u);
  assert.match(text, /\r\ncache-control: no-store\r\n/u);
  assert.match(text, /\r\nx-content-type-options: nosniff\r\n/u);
}
