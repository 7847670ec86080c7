import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { httpUploads } from './http-upload.ts';

let server: Server;
let url: string;
before(async () => {
  server = createServer(async (request, response) => {
    await request.resume().toArray();
    response.writeHead(200, { 'content-length': 100 }).write('{"stored"');
    // The beginning of the answer arrives, and nothing else.
    setImmediate(() => response.socket?.resetAndDestroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a server that listens on a port has this form.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
});
after(() => server.close().closeAllConnections());

test('an answer that breaks off is a lost line', async () => {
  const uploads = httpUploads();
  const bytes = new Uint8Array(10);
  const file = { path: 'a.bin', size: bytes.length, sha256: 'a', open: async () => bytes };
  const sent = uploads({ url, file, signal: undefined, onBytes: () => {} });
  await assert.rejects(sent, { name: 'ConnectionError' });
  uploads.close();
});
