import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { noSuchRoom } from '../rooms/refuse-upgrade.ts';

/** The response of a host. */
export interface Reached {
  readonly status: number;
  /** Whether the response is from a Spaceport, which gives each request an id. */
  readonly isOurs: boolean;
  /** Null over plain http. */
  readonly certificate: SeenCertificate | null;
}

export interface SeenCertificate {
  /** Why browsers would refuse it; null if they accept it, as far as this machine knows. */
  readonly complaint: string | null;
  /** When it expires, in epoch milliseconds. */
  readonly endsAt: number;
}

const patienceMs = 5_000;

/**
 * Requests an address as a browser would, even if its certificate is not valid. Names below `localhost` lead
 * to this machine, as in browsers; resolvers often do not know them.
 * @throws the reason for no response: no such name, no listener, or nothing within five seconds
 */
export async function reach(address: URL): Promise<Reached> {
  const answer = await ask(address);
  const certificate = address.protocol === 'https:' ? certificateOf(answer.socket as TLSSocket) : null;
  answer.destroy();
  return {
    status: answer.statusCode ?? 0,
    isOurs: answer.headers['x-request-id'] !== undefined,
    certificate,
  };
}

/**
 * Returns whether WebSockets get through to the service: it is asked for the socket of a room that nobody has. Without
 * the headers of the handshake, which proxies leave out by default, that is the address of nothing.
 */
export async function reachesRooms(app: URL): Promise<boolean> {
  const room = new URL(`/api/player/rooms/room_${randomBytes(8).toString('hex')}`, app);
  const answer = await ask(room, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  });
  return answer.statusCode === 404 && (await text(answer)).includes(noSuchRoom);
}

async function ask(address: URL, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const isSecure = address.protocol === 'https:';
  const { hostname, port, pathname } = address;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const options = {
    host: isLocal ? '127.0.0.1' : hostname.replace(/^\[|\]$/gu, ''),
    port: port || (isSecure ? 443 : 80),
    path: pathname,
    agent: false,
    headers: { host: address.host, ...headers },
    signal: AbortSignal.timeout(patienceMs),
  } as const;
  const sent = isSecure
    ? (await import('node:https')).request({ ...options, servername: hostname, rejectUnauthorized: false })
    : httpRequest(options);
  sent.end();
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  if (!answer) throw new Error('no answer');
  return answer;
}

function certificateOf(socket: TLSSocket): SeenCertificate {
  const error: Error | string | null = socket.authorizationError ?? null;
  const complaint = error instanceof Error ? error.message : error;
  return {
    complaint: socket.authorized ? null : (complaint ?? 'no trusted authority has signed it'),
    endsAt: Date.parse(socket.getPeerCertificate().valid_to),
  };
}
