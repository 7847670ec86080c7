import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** For tests: a web server on loopback that counts connections, even those without a request. */
export interface CountingListener extends AsyncDisposable {
  readonly port: number;
  connections(): number;
}

export async function listenAndCount(listener: RequestListener): Promise<CountingListener> {
  let connections = 0;
  const server = createServer({ keepAlive: false }, listener);
  server.on('connection', () => {
    connections++;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
