import { type IncomingMessage, request as requestOver, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Forwards one request over `socket`, and its response back. Rejects if no response came, or if it broke off.
 */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  socket: Socket,
): Promise<void> {
  response.once('close', () => socket.destroy());
  const upstream = requestOver({
    createConnection: () => socket,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    // RFC 9112 §3.2.2: the host is that of the requested URL, whatever the Host header says.
    headers: ['Host', url.host, 'Connection', 'close', ...endToEndHeaders(request.rawHeaders, ['host'])],
    setHost: false,
  });
  upstream.on('error', () => socket.destroy());
  const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  upstream.once('response', resolve).once('close', () => reject(new Error('no answer')));
  request.pipe(upstream);
  const answer = await answered;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEndHeaders(answer.rawHeaders, []));
  await pipeline(answer, response);
}

/** Passes bytes in both directions until either side closes. */
export function join(client: Duplex, socket: Socket): void {
  client.pipe(socket);
  socket.pipe(client);
  client.once('close', () => socket.destroy());
  socket.once('close', () => client.destroy());
}

/**
 * The headers that concern one connection only: those of RFC 9110 §7.6.1, and others that proxies have always
 * dropped.
 */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Returns `rawHeaders` (name, value, name, value …) without those of this connection, and without `dropped`.
 */
function endToEndHeaders(rawHeaders: readonly string[], dropped: readonly string[]): string[] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  const gone = new Set([...hopByHop, ...named, ...dropped]);
  return pairs.filter(([name]) => !gone.has(name.toLowerCase())).flat();
}
