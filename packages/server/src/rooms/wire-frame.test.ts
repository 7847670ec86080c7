import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { wireFrame } from './wire-frame.ts';

/** Sizes around each length at which a frame's head grows. */
const sizes = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000];

it('a frame is read by a WebSocket client as the same message, text or bytes, of any length', async () => {
  const sent = sizes.flatMap((size) => ['ä'.repeat(size), new Uint8Array(size).fill(7)]);
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (opened) => {
      for (const payload of sent) socket.write(wireFrame(payload));
      opened.close();
    }),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reader = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const heard: (string | Uint8Array)[] = [];
  reader.on('message', (data: Buffer, isBinary) =>
    heard.push(isBinary ? new Uint8Array(data) : data.toString()),
  );
  await once(reader, 'close');
  server.close();
  assert.deepEqual(heard, sent);
});
