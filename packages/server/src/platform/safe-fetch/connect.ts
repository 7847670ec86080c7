import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './target.ts';
import type { TargetRule } from './target-rule.ts';

export interface ResolvedAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true, order: 'verbatim' });

/**
 * Opens a TCP connection to a target that the rule lets through. The name is resolved once, here, and the
 * socket is given the very addresses that were checked: a name that answers otherwise the second time (DNS
 * rebinding) is never asked a second time. One bad address among good ones refuses them all: no honest page
 * has such a name. Rejects with a plain Error; destroyed when `signal` aborts.
 */
export async function connectChecked(
  target: Target,
  rule: TargetRule,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await checkedAddresses(target, rule, resolve, signal);
  return connected({
    port: target.port,
    host: target.host,
    autoSelectFamily: true,
    signal,
    lookup: (_hostname, options, answer) => {
      const [first] = addresses;
      if (options.all) answer(null, [...addresses]);
      else answer(null, first.address, first.family);
    },
  });
}

type Addresses = readonly [ResolvedAddress, ...ResolvedAddress[]];

async function checkedAddresses(
  target: Target,
  rule: TargetRule,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Addresses> {
  if (!rule.mayName(target)) throw new Error('host is not listed');
  const family = isIP(target.host);
  const [first, ...rest] =
    family === 0 ? await abortable(resolve(target.host), signal) : [{ address: target.host, family }];
  if (first === undefined) throw new Error('name has no address');
  for (const { address } of [first, ...rest]) {
    if (!rule.mayConnect(address, target)) throw new Error('address is not public');
  }
  return [first, ...rest];
}

/** A TCP connection to a host that needs no check because we named it. */
export async function connected(options: TcpNetConnectOpts): Promise<Socket> {
  // An aborted signal would still let the connection be opened, and only then close it.
  options.signal?.throwIfAborted();
  const socket = connectTcp(options);
  await once(socket, 'connect');
  socket.setNoDelay(true);
  return socket;
}

/** TLS over an open connection, certificate checked against `target.host`. */
export async function secured(socket: Socket, target: Target): Promise<Socket> {
  const secure = connectTls({
    socket,
    // A literal address must not be sent as a server name (RFC 6066 §3); it is checked all the same.
    ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
    ALPNProtocols: ['http/1.1'],
  });
  // TLS hears its own errors only: what ends the socket below (the deadline, the far end) is passed up.
  socket.on('error', (error) => secure.destroy(error));
  socket.once('close', () => secure.destroy(new Error('connection closed')));
  await once(secure, 'secureConnect');
  return secure;
}

/** The promise, or a rejection as soon as `signal` aborts: a look-up cannot be cancelled, only left behind. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
