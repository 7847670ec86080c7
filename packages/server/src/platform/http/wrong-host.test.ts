import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, test } from 'node:test';
import { answerBadTarget } from './request-target.ts';
import { answerWrongHost } from './wrong-host.ts';

const bodyBytes = 4 * 1024 * 1024;

/**
 * Sends a whole body before it reads the response.
 * @returns the response, once the connection has ended
 */
async function answerTo(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
    socket.on('error', () => {});
    await new Promise<void>((resolve) => {
      socket.once('close', resolve);
      socket.write(`POST / HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: ${bodyBytes}\r\n\r\n`);
      socket.write(Buffer.alloc(bodyBytes), () => resolve());
    });
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    return await closed;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('a request with a body for a foreign host', () => {
  test('receives the refusal', async () => {
    const app = () => assert.fail('the app was asked');
    const text = await answerTo((response) =>
      answerWrongHost(response.req, response, 'http://localhost:3000', app, null),
    );
    assert.match(text, /^HTTP\/1\.1 421 [\s\S]*"wrong_host"[\s\S]*http:\/\/localhost:3000/u);
  });

  test('receives the refusal also when its host cannot be told', async () => {
    assert.match(
      await answerTo((response) => answerBadTarget(response, 'No host.')),
      /^HTTP\/1\.1 400 [\s\S]*No host/u,
    );
  });
});
