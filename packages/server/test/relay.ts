import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A relay to a server that a test can break, like the network to a database. */
export interface Relay {
  /** The address of the server through the relay. */
  url: string;
  /** Ends every connection and refuses new ones, until `resume`. */
  breakOff(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Keeps every connection open but carries no bytes until `thaw`. New connections are accepted, and silent
   * too.
   */
  freeze(): void;
  /** Freezes as soon as clients have sent this many bytes, and resolves then. */
  freezeAfter(bytes: number): Promise<void>;
  thaw(): void;
  /**
   * New connections lead to another server. Open ones stay; with `silently` they carry no bytes any more, as when their
   * server has lost its power.
   */
  leadTo(target: string, silently?: boolean): void;
  close(): Promise<void>;
}

/** Opens a relay on loopback to the host and port of an address. */
export async function openRelay(target: string): Promise<Relay> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();
  let frozen = false;
  let came = 0;
  let freezing: { readonly after: number; done(): void } | null = null;

  const silence = () => {
    for (const [from, to] of pairs) from.unpipe(to);
  };
  const freeze = () => {
    frozen = true;
    silence();
  };
  const accept = (near: Socket) => {
    const far = connect(Number(port), hostname);
    near.on('data', (chunk: Buffer) => {
      came += chunk.length;
      if (freezing === null || came < freezing.after) return;
      freeze();
      freezing.done();
      freezing = null;
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      pairs.set(from, to);
      if (!frozen) from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        pairs.delete(from);
        to.destroy();
      });
    }
  };
  let server = await listen(accept, 0);
  const { port: ownPort } = server.address() as AddressInfo;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(ownPort);

  const stop = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  return {
    url: url.href,
    breakOff: stop,
    resume: async () => {
      if (!server.listening) server = await listen(accept, ownPort);
    },
    freeze,
    freezeAfter: (bytes) =>
      new Promise((done) => {
        freezing = { after: bytes, done };
      }),
    thaw: () => {
      frozen = false;
      for (const [from, to] of pairs) from.pipe(to);
    },
    leadTo: (other, silently = false) => {
      ({ hostname, port } = new URL(other));
      if (silently) silence();
    },
    close: stop,
  };
}

async function listen(accept: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
