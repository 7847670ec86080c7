import type { Agent, AgentOptions, ClientRequest, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { rootMessage } from '../api-error.ts';
import { builtin } from './builtin.ts';
import { ProxyError, proxyOf } from './proxy.ts';

/** How long a proxy may take to open a tunnel. */
const tunnelMs = 10_000;
/** How long a connection may take to be there. A lost packet is sent again after one, three and seven seconds. */
const connectMs = 10_000;

/** Sends requests, directly or through the proxy that the environment names. */
export interface Connections {
  /** Begins a request. @throws Error if the environment names something that is no proxy */
  request(url: URL, init: RequestOptions & { headers: OutgoingHttpHeaders }): ClientRequest;
  /** Returns an error of a request; one that is of the way to a proxy names that. */
  explain(url: URL, error: unknown): unknown;
  /** Closes the connections that are kept open. */
  close(): void;
}

/**
 * Opens connections, each of which must be there in time: where packets are swallowed the system itself waits for
 * minutes. What is sent over them may take as long as it takes.
 * @param options of connections of its own; without them direct requests share those of the process
 */
export function openConnections(options?: AgentOptions, limitMs = connectMs): Connections {
  const agents = new Map<string, Agent>();
  const agentFor = (key: string, open: () => Agent): Agent => {
    const agent = agents.get(key) ?? open();
    agents.set(key, agent);
    return agent;
  };
  return {
    request(url, init) {
      const proxy = proxyOf(url, process.env);
      const module = moduleOf(url);
      if (proxy === null) {
        const agent = options && agentFor(url.protocol, () => new module.Agent(options));
        return inTime(module.request(url, { ...init, ...(agent && { agent }) }), url, limitMs);
      }
      const kept = options ?? { keepAlive: true };
      if (url.protocol === 'https:') {
        const agent = agentFor(`through ${proxy.href}`, () => tunnelAgent(proxy, url, kept));
        return inTime(module.request(url, { ...init, agent }), url, limitMs);
      }
      // A proxy is sent the whole address of a request that is not encrypted.
      const { request, Agent } = moduleOf(proxy);
      const sent = request({
        ...init,
        ...placeOf(proxy),
        path: url.href,
        headers: { ...init.headers, host: url.host, ...authorizationFor(proxy) },
        agent: agentFor(`to ${proxy.href}`, () => new Agent(kept)),
      });
      return inTime(sent, proxy, limitMs);
    },
    explain(url, error) {
      const proxy = proxyOf(url, process.env);
      // Through a tunnel the service itself is heard, and what keeps it from being made says so.
      if (proxy === null || url.protocol === 'https:') return error;
      return new ProxyError(proxy, url, `: ${rootMessage(error)}`);
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Sockets whose connection is there, encrypted if it is to be. */
const connected = new WeakSet<Socket>();

/** Ends a request with an error if its connection is not there in time. */
function inTime(sent: ClientRequest, { host, protocol }: URL, limitMs: number): ClientRequest {
  const isSecure = protocol === 'https:';
  return sent.once('socket', (socket) => {
    if (connected.has(socket) || (!isSecure && !socket.connecting)) return;
    const late = new Error(`no connection to ${host} within ${limitMs / 1_000} seconds`);
    const timer = setTimeout(() => sent.destroy(late), limitMs);
    const end = () => clearTimeout(timer);
    sent.once('close', end);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      connected.add(socket);
      end();
    });
  });
}

function moduleOf({ protocol }: URL) {
  return protocol === 'https:' ? builtin('node:https') : builtin('node:http');
}

function placeOf({ hostname, port, protocol }: URL) {
  // An IPv6 address has brackets in a URL only.
  return {
    host: hostname.replace(/^\[|\]$/gu, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}

function authorizationFor({ username, password }: URL): OutgoingHttpHeaders {
  if (username === '') return {};
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Decodes a part of an address. A % that begins no escape stands for itself, as other programs take it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns an agent whose connections are encrypted to the service, in a tunnel through the proxy.
 * @param url one of the service, for what is said of the proxy
 */
function tunnelAgent(proxy: URL, url: URL, options: AgentOptions): Agent {
  const { Agent } = builtin('node:https');
  const { connect } = builtin('node:tls');
  class TunnelAgent extends Agent {
    override createConnection(target: RequestOptions, done?: (error: Error | null, stream: Duplex) => void) {
      // The agent has put in what `tls.connect` needs: `servername`, and the certificates to trust.
      const secure = (socket: Socket) => {
        const secured = connect({ ...(target as object), socket });
        // A socket that is handed in gets no limit of silence: an upload whose line is dead would wait for ever.
        if (target.timeout !== undefined) secured.setTimeout(target.timeout);
        return secured;
      };
      tunnel(proxy, url, target).then(
        (socket) => done?.(null, secure(socket)),
        // With an error there is no connection, which the type of the callback leaves out.
        (error: Error) => done?.(error, undefined as never),
      );
      return undefined;
    }
  }
  return new TunnelAgent(options);
}

/** Asks a proxy for a tunnel (RFC 9110 §9.3.6). */
function tunnel(proxy: URL, url: URL, { host, port }: RequestOptions): Promise<Socket> {
  const name = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const asked = moduleOf(proxy).request({
      ...placeOf(proxy),
      method: 'CONNECT',
      path: name,
      headers: { host: name, ...authorizationFor(proxy) },
      agent: false,
      timeout: tunnelMs,
    });
    asked.on('connect', ({ statusCode, statusMessage }, socket: Socket, head) => {
      socket.setTimeout(0);
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new ProxyError(proxy, url, ` answered ${statusCode} ${statusMessage}`));
    });
    asked.on('timeout', () => asked.destroy(new Error('it did not answer')));
    asked.on('error', (error) => reject(new ProxyError(proxy, url, `: ${rootMessage(error)}`)));
    asked.end();
  });
}
