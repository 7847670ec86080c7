import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** A proxy before a service that counts requests, and the bytes of their bodies and answers. */
export interface CountingRelay extends AsyncDisposable {
  calls(): number;
  bytes(): number;
  reset(): void;
}

export async function startCountingRelay(port: number, target: number): Promise<CountingRelay> {
  let calls = 0;
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
  };
  const server = createServer((asked, answer) => {
    calls++;
    const { method, url, headers } = asked;
    const passed = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.on('data', count);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.on('data', count);
    asked.pipe(passed);
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return {
    calls: () => calls,
    bytes: () => bytes,
    reset() {
      calls = 0;
      bytes = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
