import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { httpFetch } from './http-fetch.ts';

let server: Server;
let baseUrl: string;
before(async () => {
  server = createServer(async (request, response) => {
    if (request.url === '/silent') return;
    if (request.url === '/elsewhere') return response.writeHead(302, { location: '/' }).end();
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method, headers } = request;
    const body = JSON.stringify({ method, given: headers['x-given'], body: Buffer.concat(parts).toString() });
    response.writeHead(200, { etag: '"1"' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a server that listens on a port has this form.
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close().closeAllConnections());

const init = { method: 'POST', headers: {}, redirect: 'manual', signal: AbortSignal.any([]) } as const;

test('sends a request and returns the answer, with text beyond ASCII in both', async () => {
  const answer = await httpFetch(baseUrl, { ...init, headers: { 'x-given': 'yes' }, body: '«ü»' });
  assert.equal(answer.ok, true);
  assert.equal(answer.headers.get('ETag'), '"1"');
  assert.equal(answer.headers.get('absent'), null);
  assert.deepEqual(JSON.parse(await answer.text()), { method: 'POST', given: 'yes', body: '«ü»' });
});

test('returns a redirect without following it', async () => {
  const answer = await httpFetch(`${baseUrl}/elsewhere`, init);
  assert.deepEqual([answer.status, answer.ok, answer.headers.get('location')], [302, false, '/']);
});

test('rejects when the connection is refused, and when it is aborted', async () => {
  await assert.rejects(httpFetch('http://127.0.0.1:1', init), { code: 'ECONNREFUSED' });
  const controller = new AbortController();
  const asked = httpFetch(`${baseUrl}/silent`, { ...init, signal: controller.signal });
  controller.abort();
  await assert.rejects(asked, { name: 'AbortError' });
});

test('an answer that nobody reads keeps no connection', async () => {
  let connections = 0;
  const count = () => void connections++;
  server.on('connection', count);
  for (const _ of [1, 2, 3]) await httpFetch(baseUrl, init);
  server.off('connection', count);
  assert.ok(connections <= 1, `${connections}`);
});
