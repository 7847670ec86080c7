import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How an answer is lost: the connection is cut, nothing comes, or a gateway answers for the service. */
export type Loss = 'cut' | 'silence' | 502 | 503 | 504;

/** A proxy that loses answers: the service has done what was asked when its client hears nothing of it. */
export interface LosingProxy {
  readonly url: string;
  /** Says for each request whether its answer is lost. */
  lose: (method: string, path: string) => Loss | null;
  /** How many answers were lost. */
  readonly lost: number;
  close(): Promise<void>;
}

/** Opens a proxy on loopback to a service. */
export async function openLosingProxy(target: string): Promise<LosingProxy> {
  let lost = 0;
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const answer = await fetch(new URL(url, target), {
      method,
      headers: passedOn(request),
      redirect: 'manual',
      ...(method !== 'GET' && method !== 'HEAD' && { body: await bodyOf(request) }),
    });
    const text = Buffer.from(await answer.arrayBuffer());
    const loss = proxy.lose(method, url);
    if (loss === null) {
      const { status, headers } = answer;
      response.writeHead(status, { 'content-type': headers.get('content-type') ?? 'text/plain' }).end(text);
      return;
    }
    lost += 1;
    if (loss === 'cut') request.socket.destroy();
    else if (loss !== 'silence') response.writeHead(loss).end('<h1>Bad Gateway</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (() => null) as LosingProxy['lose'],
    get lost() {
      return lost;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
}

function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const kept = [
    'authorization',
    'content-type',
    'idempotency-key',
    'x-service-claim',
    'accept',
    'user-agent',
  ];
  return Object.fromEntries(
    kept.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  return Buffer.concat(await Array.fromAsync(request));
}
