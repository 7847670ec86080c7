import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishLive } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('an unknown address', () => {
  let service: TestService;
  let viewer: SignedUp;
  before(async () => {
    service = await startService();
    viewer = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());

  const open = (path: string, headers: Record<string, string> = html, method = 'GET') =>
    service.get(`${service.baseUrl}${path}`, { method, headers });

  for (const path of [
    '/nosuch',
    '/no/such?x=1',
    '/s/never-there',
    '/@nobody_here',
    '/assets/no-such.js',
    '/clips/checks/nosuch.webp',
    '/clips/abc/1.webp',
    '/%3Cscript%3Ealert(1)%3C/script%3E',
  ]) {
    it(`answers a browser at ${path} with a page that links to the gallery`, async () => {
      const answer = await open(path);
      assert.equal(answer.status, 404);
      assert.match(String(answer.headers['content-type']), /^text\/html/u);
      assert.match(String(answer.headers['content-security-policy']), /default-src 'self'/u);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.match(answer.text(), /<h1>There is nothing here<\/h1>/u);
      assert.match(answer.text(), /<a href="\/" class="button">Find something to play/u);
      assert.doesNotMatch(answer.text(), /href="\/settings"|<script>alert/u);
    });
  }

  it('offers signed-in creators their own spaces too', async () => {
    const answer = await viewer.get('/nosuch', html);
    assert.equal(answer.status, 404);
    assert.match(answer.text(), /href="\/dashboard" class="button button--plain">Your spaces/u);
  });

  it('answers a browser with a page when the address cannot be read', async () => {
    for (const path of ['/s/%ff', '/s/%00', `/@${'x'.repeat(600)}`]) {
      const answer = await open(path);
      assert.equal(answer.status, 422, path);
      assert.match(answer.text(), /<h1>That did not work<\/h1>/u);
      assert.match(String(answer.headers['content-security-policy']), /default-src 'self'/u);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      const told = await open(path, { accept: '*/*' });
      assert.equal(told.status, 422, path);
    }
    assert.equal((await open('/api/%ff')).json().error, 'invalid');
  });

  it('answers programs, and all requests under /api, as JSON', async () => {
    for (const [path, headers] of [
      ['/nosuch', { accept: '*/*' }],
      ['/nosuch', { accept: 'application/json' }],
      ['/api/nosuch', html],
      ['/api', html],
    ] as const) {
      const answer = await open(path, headers);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.json().error, 'not_found');
    }
    const posted = await open('/nosuch', html, 'POST');
    assert.deepEqual([posted.status, posted.json().error], [404, 'not_found']);
    const head = await open('/nosuch', html, 'HEAD');
    assert.deepEqual([head.status, head.text()], [404, '']);
    const wrongMethod = await open('/api/spaces/x/move', html);
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.allow], [405, 'POST']);
  });

  it('does not include /favicon.ico and /robots.txt', async () => {
    const icon = await open('/favicon.ico');
    assert.equal(icon.status, 200);
    assert.equal(icon.headers['content-type'], 'image/vnd.microsoft.icon');
    // The header of an icon file: reserved, kind 1, three pictures.
    assert.deepEqual([...icon.body.subarray(0, 6)], [0, 0, 1, 0, 3, 0]);
    const robots = await open('/robots.txt');
    assert.equal(robots.status, 200);
    assert.match(String(robots.headers['content-type']), /^text\/plain/u);
    assert.match(robots.text(), /^User-agent: \*\nDisallow: \/api\/\n/u);
  });

  it('on the origin of a space is answered in the same manner', async () => {
    const { urls } = service.service.platform;
    const { space } = await publishLive(service, await service.creator());
    for (const url of [urls.live('never-there'), `${urls.live(space.slug)}nosuch`]) {
      const answer = await service.get(url, { headers: html });
      assert.equal(answer.status, 404);
      assert.match(answer.text(), /<header>Spaceport<\/header><main><h1>There is nothing here<\/h1>/u);
      assert.match(
        String(answer.headers['content-security-policy']),
        /default-src 'none'; style-src 'sha256-/u,
      );
    }
  });

  it('that is another spelling of a page’s leads to the page, with its query', async () => {
    const { space } = await publishLive(service, await service.creator());
    const page = service.service.platform.urls.page(space.slug);
    for (const [path, location] of [
      [`/s/${space.slug.toUpperCase()}?room=AB12`, `${page}?room=AB12`],
      [`/s/${space.slug}/?next=/a/`, `/s/${space.slug}?next=/a/`],
      ['/drop/', '/drop'],
      ['/@ada/', '/@ada'],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await open(path, html, method);
        assert.deepEqual([answer.status, answer.headers.location], [308, location], `${method} ${path}`);
      }
    }
    for (const path of ['/s/NEVER-THERE', '//drop/', '/drop//']) assert.equal((await open(path)).status, 404);
    assert.notEqual((await open('/sign-in/', html, 'POST')).status, 308);
  });

  it('that people guess leads to what they look for', async () => {
    for (const [path, location] of [
      ['/docs', '/docs/publish.md'],
      ['/publish', '/#publish'],
    ] as const) {
      const answer = await open(path);
      assert.deepEqual([answer.status, answer.headers.location], [303, location]);
      assert.equal((await open(location)).status, 200);
    }
  });
});
