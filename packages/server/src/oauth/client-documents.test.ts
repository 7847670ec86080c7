import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { callback, letIn, oauthCalls } from '../../test/oauth.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

describe('a program whose client id is the address of a document', () => {
  let service: TestService;
  let ada: SignedUp;
  let site: Server;
  let origin: string;
  let asked = 0;
  const documents: Record<string, (id: string) => unknown> = {
    '/client.json': (client_id) => ({ client_id, client_name: 'Site Editor', redirect_uris: [callback] }),
    '/odd.json': (client_id) => ({
      client_id,
      client_name: '\u202eSite\u0000\u200b Editor\ud800',
      redirect_uris: [callback],
    }),
    '/other.json': () => ({ client_id: `${origin}/x.json`, client_name: 'x', redirect_uris: [callback] }),
    '/secret.json': (client_id) => ({
      client_id,
      client_name: 'x',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'client_secret_basic',
    }),
    '/script.json': (client_id) => ({ client_id, client_name: 'x', redirect_uris: ['javascript:alert(1)'] }),
    '/large.json': (client_id) => ({
      client_id,
      client_name: 'x',
      redirect_uris: [callback],
      x: 'x'.repeat(20_000),
    }),
    '/text.json': () => 'no object',
    // Where an address leads on, somebody else may write what it is said to be.
    '/elsewhere.json': () => ({
      client_id: `${origin}/moved.json`,
      client_name: 'x',
      redirect_uris: [callback],
    }),
  };
  before(async () => {
    site = createServer((request, response) => {
      asked += 1;
      const path = request.url ?? '';
      if (path === '/moved.json') return void response.writeHead(302, { location: '/elsewhere.json' }).end();
      const document = documents[path];
      response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document?.(origin + path) ?? {}));
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    service = await startService({ environment: { FETCH_ALLOW: new URL(origin).host } });
    await service.creator('first');
    ada = await signUp(service, { handle: 'ada' });
  });
  after(async () => {
    await service.close();
    site.close();
  });
  const { begin, exchange } = oauthCalls(() => service);

  it('is shown with the host of its document, which is fetched once', async () => {
    const { path, fields } = begin(`${origin}/client.json`);
    const shown = await ada.get(path);
    assert.equal(shown.status, 200, shown.text());
    assert.ok(shown.text().includes('Site Editor'));
    assert.ok(shown.text().includes(new URL(origin).host));
    const before = asked;
    const back = await letIn(ada, path);
    assert.equal(asked, before);
    const answer = await exchange(fields(back.searchParams.get('code') ?? ''));
    assert.equal(answer.status, 200, answer.text());
  });

  it('is shown by a name without characters that hide or turn text', async () => {
    const { path } = begin(`${origin}/odd.json`);
    const shown = await ada.get(path);
    assert.match(shown.text(), /Site Editor\ufffd/u);
    const back = await letIn(ada, path);
    assert.ok(back.searchParams.get('code'));
  });

  it('is refused when the document is invalid or has another client id', async () => {
    for (const path of ['other', 'secret', 'script', 'large', 'text', 'moved', 'none']) {
      service.clock.advance({ minutes: 1 });
      const answer = await ada.get(begin(`${origin}/${path}.json`).path);
      assert.equal(answer.status, 422, path);
      assert.match(answer.text(), /The document of the program/u, path);
    }
  });

  it('makes the service fetch public addresses only, and only for signed-in accounts', async () => {
    const before = asked;
    const [, port] = new URL(service.baseUrl).host.split(':');
    for (const id of [
      `http://127.0.0.1:${port}/client.json`,
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/client.json',
      'https://localhost/client.json',
      `${origin.replace('127.0.0.1', 'localhost')}/client.json`,
      `${origin}/`,
      `${origin}/client.json#x`,
    ]) {
      service.clock.advance({ minutes: 1 });
      const answer = await ada.get(begin(id).path);
      assert.equal(answer.status, 422, id);
      assert.match(answer.text(), /is not known here|The document of the program/u, id);
    }
    const { path } = begin(`${origin}/unseen.json`);
    assert.equal((await service.get(service.baseUrl + path)).status, 303);
    assert.equal(asked, before);
  });
});
