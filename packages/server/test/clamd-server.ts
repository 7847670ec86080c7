import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A fault of the scanner: `drop` hangs up after the first bytes of a stream, `hang` never answers. */
export type ClamdFault = 'hang' | 'drop' | 'garbage' | 'endless';

export interface ClamdServerOptions {
  /** StreamMaxLength: longer streams are refused and hung up on. Default 25 MiB, as clamd's. */
  readonly sizeLimitBytes?: number;
  readonly fault?: ClamdFault;
  /** Answers no stream before this resolves. */
  readonly until?: Promise<void>;
  /** Path of a Unix socket; without it a free port on loopback. */
  readonly socketPath?: string;
}

export interface ClamdServer {
  /** The address in the form for clamdRule. */
  readonly address: string;
  /** Sizes of the scanned streams in bytes, in the order they ended. */
  readonly scanned: readonly number[];
  /** The most connections that were open at one time. */
  readonly mostConnections: () => number;
  /** Resolves when the first command has arrived. */
  readonly asked: Promise<void>;
  readonly close: () => Promise<void>;
}

// In two parts, so that a virus scanner does not report this source file.
const eicar = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
);

/**
 * Starts a daemon with the used part of clamd's protocol: zPING, zVERSION, zINSTREAM. Its only signature is
 * EICAR.
 */
export async function startClamdServer(options: ClamdServerOptions = {}): Promise<ClamdServer> {
  const scanned: number[] = [];
  const sockets = new Set<Socket>();
  let most = 0;
  const asked = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on('close', () => sockets.delete(socket));
    // A client may hang up at any time.
    socket.on('error', () => {});
    void serve(socket, options, scanned, asked.resolve).catch(() => socket.destroy());
  });
  server.listen(options.socketPath ? { path: options.socketPath } : { host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const at = server.address();
  return {
    address: typeof at === 'string' || at === null ? (options.socketPath ?? '') : `127.0.0.1:${at.port}`,
    scanned,
    mostConnections: () => most,
    asked: asked.promise,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function serve(
  socket: Socket,
  options: ClamdServerOptions,
  scanned: number[],
  wasAsked: () => void,
): Promise<void> {
  const input = new Input(socket);
  const command = await input.until(0);
  wasAsked();
  if (options.fault === 'hang') return;
  if (command === 'zPING') return answer(socket, 'PONG');
  if (command === 'zVERSION') return answer(socket, 'ClamAV 1.4.1/27500/Mon Jan  5 09:00:00 2026');
  if (command !== 'zINSTREAM') return answer(socket, 'UNKNOWN COMMAND');
  const limit = options.sizeLimitBytes ?? 25 * 1024 * 1024;
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const length = (await input.exactly(4)).readUInt32BE(0);
    if (options.fault === 'drop') return void socket.destroy();
    if (length === 0) break;
    size += length;
    if (size > limit) return answer(socket, 'INSTREAM size limit exceeded. ERROR');
    chunks.push(await input.exactly(length));
  }
  scanned.push(size);
  await options.until;
  if (options.fault === 'garbage') return answer(socket, '\u{1f480} 200 OK <html>');
  if (options.fault === 'endless') return void socket.end('x'.repeat(100_000));
  answer(socket, Buffer.concat(chunks).includes(eicar) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK');
}

function answer(socket: Socket, line: string): void {
  socket.end(`${line}\0`);
}

/** Reads a connection by numbers of bytes. */
class Input {
  private readonly source: AsyncIterator<Buffer>;
  private held: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.source = socket[Symbol.asyncIterator]();
  }

  async exactly(length: number): Promise<Buffer> {
    const pieces = [this.held];
    let have = this.held.length;
    while (have < length) {
      const piece = await this.next();
      pieces.push(piece);
      have += piece.length;
    }
    const all = Buffer.concat(pieces);
    this.held = all.subarray(length);
    return all.subarray(0, length);
  }

  async until(byte: number): Promise<string> {
    while (!this.held.includes(byte)) this.held = Buffer.concat([this.held, await this.next()]);
    const end = this.held.indexOf(byte);
    const text = this.held.toString('utf8', 0, end);
    this.held = this.held.subarray(end + 1);
    return text;
  }

  private async next(): Promise<Buffer> {
    const { done, value } = await this.source.next();
    if (done) throw new Error('the client hung up');
    return value;
  }
}
