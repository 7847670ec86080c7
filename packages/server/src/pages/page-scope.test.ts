import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

/**
 * Returns whether an element is an icon, one of our own scripts, a data block that no browser runs, or the script that
 * the policy names by its hash.
 */
function isOurs(element: DefaultTreeAdapterTypes.Element, policy: string): boolean {
  const { tagName, attrs, childNodes } = element;
  if (tagName === 'svg') return isIcon(element);
  const value = (name: string) => attrs.find((attribute) => attribute.name === name)?.value;
  if (tagName !== 'script') return false;
  if (/^\/assets\/[\w.-]+\.js$/u.test(value('src') ?? '') || value('type') === 'application/json')
    return true;
  const [text] = childNodes;
  return text !== undefined && 'value' in text && policy.includes(`'sha256-${sha256(text.value)}'`);
}

/** Returns whether an element is an icon that has only shapes. */
function isIcon({ attrs, childNodes }: DefaultTreeAdapterTypes.Element): boolean {
  return (
    attrs.every(({ name }) => ['class', 'viewBox', 'aria-hidden'].includes(name)) &&
    childNodes.every(
      (child) =>
        'tagName' in child &&
        child.tagName === 'path' &&
        child.attrs.every(({ name, value }) => name === 'd' && /^[MmLlHhVvAaZzCcSs\d .,-]+$/u.test(value)),
    )
  );
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

/** Asserts that no element or attribute can run or load something that is not ours. */
function assertInert(document: string, policy: string): void {
  const look = (node: DefaultTreeAdapterTypes.Node) => {
    if ('tagName' in node) {
      if (isOurs(node, policy)) return;
      assert.ok(
        !['script', 'style', 'img', 'b', 'iframe', 'svg', 'base'].includes(node.tagName),
        node.tagName,
      );
      for (const { name, value } of node.attrs) {
        assert.doesNotMatch(name, /^(?:on|style$|srcdoc$)/u);
        if (['href', 'src', 'action'].includes(name)) assert.match(value, /^(?:\/(?!\/)|#main$)/u);
      }
    }
    if ('childNodes' in node) node.childNodes.forEach(look);
  };
  look(parse(document));
}

describe('a plain page', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ada = await signUp(service, { handle: 'ada', name: evil });
  });
  after(() => service.close());

  const open = ['/sign-up', '/sign-in', '/verify?token=x', '/reset', '/reset/new?token=x'];
  const own = ['/sign-out', '/device', '/settings'];

  for (const path of [...open, ...own]) {
    it(`has its policy and no script: ${path}`, async () => {
      const answer = await (own.includes(path) ? ada : visitor(service)).get(path);
      assert.equal(answer.status, 200, answer.text());
      const { headers } = answer;
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      const policy = String(headers['content-security-policy']);
      assert.match(
        policy,
        /^default-src 'self'; script-src 'self' 'sha256-[\w+/]{43}='; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/u,
      );
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['referrer-policy'], 'same-origin');
      assert.equal(headers['cache-control'], 'no-store');
      assert.ok(headers['x-request-id']);
      assert.equal(headers['strict-transport-security'], undefined);
      assertInert(answer.text(), policy);
    });
  }

  it('is answered to HEAD with its headers alone', async () => {
    const url = new URL('/sign-in', service.baseUrl).href;
    const answer = await service.get(url, { method: 'HEAD' });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.length, 0);
    assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'none'/u);
  });

  it('has a stylesheet of the service, which is cached for good', async () => {
    const page = (await visitor(service).get('/sign-in')).text();
    const address = /<link rel="stylesheet" href="([^"]+)"\/?>/u.exec(page)?.[1] ?? '';
    const answer = await visitor(service).get(address);
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers['content-type']), /^text\/css/u);
    assert.match(String(answer.headers['cache-control']), /immutable/u);
  });

  it('escapes text that users wrote', async () => {
    const inQuery = encodeURIComponent(evil);
    const nobody = visitor(service);
    const answers = [
      await ada.get('/settings'),
      await ada.get('/device'),
      await ada.get(`/device?user_code=${inQuery}`),
      await ada.get(`/settings?done=${inQuery}`),
      await ada.post('/settings/name', { name: `${evil}\u0007` }),
      await nobody.get(`/sign-in?next=${inQuery}`),
      await nobody.get(`/sign-in?next=/${inQuery}`),
      await nobody.get(`/verify?token=${inQuery}`),
      await nobody.get(`/reset/new?token=${inQuery}`),
      await nobody.post('/sign-in', { email: evil, password: 'x', next: `/${evil}` }),
      await nobody.post('/sign-up', { name: evil, email: evil, password: evil }),
      await nobody.post('/reset', { email: evil }),
      await nobody.post('/reset', { email: `<b>${'x'.repeat(9)}@example.org` }),
      await (await signUp(service)).post('/handle', { handle: evil }),
    ];
    for (const answer of answers) {
      assert.match(answer.text(), /<!doctype html>/u);
      assertInert(answer.text(), String(answer.headers['content-security-policy']));
    }
    assert.match((await ada.get('/device')).text(), /@ada/u);
  });

  it('accepts forms from the service’s own pages only', async () => {
    const paths = [
      '/sign-up',
      '/sign-in',
      '/sign-out',
      '/verify',
      '/verify/send',
      '/reset',
      '/reset/new',
      '/handle',
      '/device',
      '/settings/name',
      '/settings/email',
      '/settings/password',
      '/settings/tokens/revoke',
      '/settings/passkeys/remove',
      '/settings/sessions/end',
    ];
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const path of paths) {
      const senders: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
        { 'sec-fetch-site': 'same-site', origin: 'http://game.play.localhost' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        {},
      ];
      for (const headers of senders) {
        const answer = await service.get(new URL(path, service.baseUrl).href, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: 'name=changed&next=/',
        });
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)}`);
        assert.equal(answer.headers['set-cookie'], undefined);
        assert.match(answer.text(), /not sent from one of our own pages/u);
      }
    }
    assert.equal((await ada.get('/settings')).status, 200);
    const older = await service.get(new URL('/settings/name', service.baseUrl).href, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', origin: service.baseUrl },
      body: new URLSearchParams({ name: evil }).toString(),
    });
    assert.equal(older.status, 303);
  });

  it('ignores a body that is not a form, and refuses one that is too long', async () => {
    const { email, password } = ada;
    const json = await ada.call('POST', '/sign-in', { email, password });
    assert.equal(json.status, 422);
    const long = await ada.post('/settings/name', { name: 'x'.repeat(70_000) });
    assert.equal(long.status, 413);
    assert.match(long.text(), /<!doctype html>/u);
    assert.equal((await ada.post('/settings/name', { name: 'x'.repeat(61) })).status, 422);
    assert.equal((await ada.post('/settings/name', { name: 'a\u0000b' })).status, 422);
    assert.equal((await ada.get('/sign-in?next=%00')).status, 422);
  });

  it('changes the name of an account everywhere', async () => {
    const who = await signUp(service, { handle: 'renamed' });
    const answer = await who.post('/settings/name', { name: ' Augusta & Co ' });
    assert.equal(answer.headers.location, '/settings?done=saved');
    assert.match((await who.get('/settings?done=saved')).text(), /value="Augusta &amp; Co"/u);
    const me = await who.call('GET', '/api/agent/me');
    assert.equal(me.json().creator.name, 'Augusta & Co');
  });
});
