import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { listenAndCount } from './counting-listener.ts';
import { anyName, fetchFrom, page, refusalOf } from './fetching.ts';
import type { SendOptions } from './safe-fetch.ts';

const options = (more: Partial<SendOptions> = {}): SendOptions => ({
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  signal: new AbortController().signal,
  deadlineMs: 60_000,
  maxAnswerBytes: 16,
  ...more,
});

describe('a sent request', () => {
  test('arrives unchanged, and the beginning of the response is returned', async () => {
    await using listener = await listenAndCount(async (request, response) => {
      const { method, url, headers } = request;
      const got = await text(request);
      assert.deepEqual(
        [method, url, headers['content-type'], got],
        ['POST', '/hook?x', 'application/json', '{"a":1}'],
      );
      assert.equal(headers['accept-encoding'], undefined);
      response.writeHead(201).end('x'.repeat(100));
    });
    const sent = await fetchFrom(listener).send(`http://127.0.0.1:${listener.port}/hook?x#y`, options());
    assert.deepEqual([sent.status, sent.body.toString()], [201, 'x'.repeat(16)]);
  });

  test('returns any status, and follows no redirect', async () => {
    await using other = await listenAndCount(page);
    await using listener = await listenAndCount((request, response) => {
      const location = `http://127.0.0.1:${other.port}/`;
      response.writeHead(Number(request.url?.slice(1)), { location }).end('no');
    });
    for (const status of [200, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503]) {
      const sent = await fetchFrom(listener, {
        allow: [`127.0.0.1:${listener.port}`, `127.0.0.1:${other.port}`],
      }).send(`http://127.0.0.1:${listener.port}/${status}`, options());
      assert.deepEqual([sent.status, sent.body.toString()], [status, 'no']);
    }
    assert.equal(other.connections(), 0);
  });

  test('is not sent to forbidden hosts or private addresses', async () => {
    await using listener = await listenAndCount(page);
    for (const url of [
      'http://localhost/',
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'http://spaceport.example.com/',
      'https://hooks.example.com:8443/',
      'https://ada:secret@hooks.example.com/',
      'file:///etc/passwd',
    ])
      assert.deepEqual(
        await refusalOf(fetchFrom(listener).send(url, options())),
        { kind: 'not_listed' },
        url,
      );
    const inward = fetchFrom(listener).send('http://inward.example.com/', options());
    assert.deepEqual(await refusalOf(inward), { kind: 'unreachable' });
    assert.equal(listener.connections(), 0);
  });

  test('is answered once the status is there, though the body never ends', async () => {
    await using listener = await listenAndCount((request, response) => {
      response.writeHead(200);
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(1_000), () => setImmediate(more));
      };
      if (request.url === '/endless') more();
      else response.write('slow');
    });
    const at = (path: string) => `http://127.0.0.1:${listener.port}${path}`;
    const endless = await fetchFrom(listener).send(at('/endless'), options());
    assert.deepEqual([endless.status, endless.body.length], [200, 16]);
    const slow = await fetchFrom(listener).send(at('/slow'), options({ deadlineMs: 300 }));
    assert.deepEqual([slow.status, slow.body.toString()], [200, 'slow']);
  });

  test('is aborted at the deadline and by its signal', async () => {
    await using listener = await listenAndCount(() => {});
    const url = `http://${anyName}:${listener.port}/`;
    const late = fetchFrom(listener).send(url, options({ deadlineMs: 100 }));
    assert.deepEqual(await refusalOf(late), { kind: 'unreachable' });
    const ending = new AbortController();
    const sent = fetchFrom(listener).send(url, options({ signal: ending.signal }));
    ending.abort(new Error('stop'));
    await assert.rejects(sent, /stop/u);
  });
});
