import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { openConnections } from './connections.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function listening(server: Server): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => server.close());
  return server;
}

test('requests begin on the oldest version of Node that is supported', async () => {
  const server = await listening(createServer((_request, response) => void response.end('here')));
  const { getBuiltinModule } = process;
  // Node 20.12 has no such function.
  Reflect.set(process, 'getBuiltinModule', undefined);
  try {
    const connections = openConnections({ keepAlive: true });
    ends.push(() => connections.close());
    const sent = connections.request(new URL(`http://127.0.0.1:${portOf(server)}/`), { headers: {} }).end();
    const [answer] = await once(sent, 'response');
    assert.equal((await Array.fromAsync(answer)).join(''), 'here');
  } finally {
    Reflect.set(process, 'getBuiltinModule', getBuiltinModule);
  }
});
