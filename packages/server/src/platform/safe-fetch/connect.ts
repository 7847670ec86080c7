import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import process from 'node:process';
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
 * Opens a TCP connection to a target that the rule allows. The name is resolved once, here, and the socket
 * connects to the addresses that were checked. So a name with another answer the second time (DNS rebinding)
 * has no effect. One refused address refuses the whole name: no honest site has such a name. Rejects with a
 * plain Error. The socket is destroyed when `signal` aborts.
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

/** Opens a TCP connection to a host that needs no check, because we named it. */
export async function connected(options: TcpNetConnectOpts): Promise<Socket> {
  // With an aborted signal, the connection would be opened and then closed.
  options.signal?.throwIfAborted();
  const socket = connectTcp(options);
  await once(socket, 'connect');
  socket.setNoDelay(true);
  return socket;
}

/** Starts TLS on an open connection. The certificate is checked against `target.host`. */
export async function secured(socket: Socket, target: Target): Promise<Socket> {
  // Loaded here, at once: most services start without, and an error of the socket must not come before its listener.
  const secure = process.getBuiltinModule('node:tls').connect({
    socket,
    // An IP address must not be sent as a server name (RFC 6066 §3). The certificate is checked all the same.
    ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
    ALPNProtocols: ['http/1.1'],
  });
  // The TLS socket only gets its own errors, so the end of the socket below (time limit, far end) is passed
  // on.
  socket.on('error', (error) => secure.destroy(error));
  socket.once('close', () => secure.destroy(new Error('connection closed')));
  await once(secure, 'secureConnect');
  return secure;
}

/**
 * Returns the promise, or rejects as soon as `signal` aborts: a DNS look-up cannot be cancelled, only
 * ignored.
 */
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
