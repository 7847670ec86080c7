import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { KeptHead } from './kept-head.ts';

const headers = ['content-type', 'text/plain', 'content-security-policy', "default-src 'self'"];
const head = new KeptHead(headers, 201);
const unchanged = new KeptHead(['ETag', '"1"'], 304);
let answered = 0;
const answers: Readonly<Record<string, (response: ServerResponse, id: string, bytes: number) => unknown>> = {
  '/kept': (response, id, bytes) => head.write(response, id, bytes),
  '/made': (response, id, bytes) =>
    response.writeHead(201, ['x-request-id', id, 'content-length', String(bytes), ...headers]),
  '/kept-304': (response, id) => unchanged.write(response, id),
  '/made-304': (response, id) => response.writeHead(304, ['x-request-id', id, 'ETag', '"1"']),
};

describe('a cached response head', () => {
  const server = createServer((request, response) => {
    const [path = '', times = '1'] = request.url?.split('?') ?? [];
    const body = 'hello'.repeat(Number(times));
    const id = `00000000-0000-4000-8000-${String(++answered).padStart(12, '0')}`;
    answers[path]?.(response, id, body.length);
    response.end(path.endsWith('-304') ? '' : body);
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => void server.close());

  /**
   * Returns everything that is sent for these requests on one connection, except for the date and the ids.
   */
  async function sent(...requests: readonly string[]): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    socket.end(requests.join(''));
    await once(socket, 'close');
    assert.equal(
      text.match(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/gmu)?.length,
      requests.length,
    );
    const ids = [...text.matchAll(/x-request-id: ([\w-]{36})\r/gu)].map(([, id]) => id);
    assert.equal(new Set(ids).size, requests.length);
    return text.replaceAll(/(?<=Date: )[^\r]+|(?<=x-request-id: )[^\r]+/gu, '');
  }
  const asked = (path: string, rest = 'HTTP/1.1\r\nhost: x\r\n') => `GET ${path} ${rest}\r\n`;

  it('is equal to Node’s for the same names and values, on one connection and on many', async () => {
    for (let round = 0; round < 3; round++) {
      const [kept, made] = await Promise.all(
        ['/kept', '/made'].map((path) => sent(asked(path), asked(`${path}?300`), asked(`${path}?20`))),
      );
      assert.equal(kept, made);
    }
  });

  it('is equal to Node’s without a length', async () => {
    for (let round = 0; round < 3; round++) {
      const [kept, made] = await Promise.all(
        ['/kept-304', '/made-304'].map((path) => sent(asked(path), asked(path))),
      );
      assert.equal(kept, made);
    }
  });

  it('closes or keeps the connection as the request asks', async () => {
    for (const rest of [
      'HTTP/1.1\r\nhost: x\r\nconnection: close\r\n',
      'HTTP/1.0\r\n',
      'HTTP/1.0\r\nconnection: keep-alive\r\n',
    ])
      assert.equal(await sent(asked('/kept', rest)), await sent(asked('/made', rest)));
  });
});
