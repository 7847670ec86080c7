import { createHash, randomBytes } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { PortalKeys } from '@spaceport/contract/portal-keys';
import { BlobGone, type BlobStore } from '../../platform/blobs/blob-store.ts';
import { givenId } from '../../platform/db/ids.ts';
import { type ContentHandlerOptions, createContentHandler } from '../content-handler.ts';
import type { FirstFile } from '../first-files.ts';
import { createHostClassifier } from '../hosts.ts';
import { ModuleTexts } from '../module/module-texts.ts';
import type { ContentCoding, ServingContext, SiteAtHost, SiteFile } from '../site.ts';

export const appOrigin = 'http://localhost:3000';
/** A module as it is built: with a name that the service replaces by its values. */
export const moduleSource = `/* ${'module '.repeat(60)}*/start(SPACEPORT_SERVED);`;

/** A portal's script as it is built. */
export const shimSource = `/* ${'shim '.repeat(60)}*/shim(SPACEPORT_SHIM);`;

/** The second script as it is built. */
export const togetherSource = `/* ${'together '.repeat(60)}*/export {};`;

/** A blob store in memory, which counts what is open and can be told to fail. */
export class MemoryStore implements BlobStore {
  readonly blobs = new Map<string, Buffer>();
  opened = 0;
  closed = 0;
  reads = 0;
  /** Thrown by every read and open while it is set. */
  fault: Error | undefined;
  /** Streams break after this many bytes. */
  breakAfter: number | undefined;
  /** What streams give in place of the stored bytes. */
  gives: ((bytes: Buffer) => Buffer) | undefined;

  put(bytes: Buffer): { hash: string; key: string; size: number } {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const key = `${hash}-${randomBytes(4).toString('hex')}`;
    this.blobs.set(key, bytes);
    return { hash, key, size: bytes.length };
  }
  async write(source: AsyncIterable<Uint8Array>): Promise<string> {
    return this.put(Buffer.concat(await Array.fromAsync(source))).key;
  }
  async read(key: string): Promise<Buffer> {
    this.reads++;
    return this.#get(key);
  }
  async open(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const stored = this.#get(key);
    const whole = this.gives?.(stored) ?? stored;
    const bytes = range ? whole.subarray(range.start, range.end + 1) : whole;
    const { breakAfter } = this;
    this.opened++;
    function* chunks() {
      for (let at = 0; at < bytes.length; at += 65_536) {
        if (breakAfter !== undefined && at >= breakAfter) throw new Error('the disk is broken');
        yield bytes.subarray(at, at + 65_536);
      }
    }
    const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: 65_536 });
    stream.on('close', () => this.closed++);
    return stream;
  }
  #get(key: string): Buffer {
    if (this.fault) throw this.fault;
    const bytes = this.blobs.get(key);
    if (!bytes) throw new BlobGone(key);
    return bytes;
  }
  async delete(key: string): Promise<void> {
    this.blobs.delete(key);
  }
  async size(key: string): Promise<number> {
    return this.#get(key).length;
  }
  async sweep(): Promise<void> {}
  async *list() {}
  async owner(): Promise<null> {
    return null;
  }
  async claim(): Promise<void> {}
  async ping(): Promise<void> {}
  async close(): Promise<void> {}
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}
interface Ask {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Record<string, string>;
}
export interface NewFile {
  readonly bytes: Buffer | string;
  readonly forms?: Partial<Record<ContentCoding, Buffer | string>>;
}
interface SiteOptions {
  readonly entry?: string;
  readonly spa?: boolean;
  readonly isolated?: boolean;
  /** The default is off: most tests do not depend on it. */
  readonly sdk?: boolean;
  readonly shims?: boolean;
  readonly clientBoard?: string;
  readonly portalKeys?: PortalKeys;
  readonly ascendingBoards?: readonly string[];
  readonly temporary?: boolean;
  readonly expiresAt?: number;
  /** The default is 7. */
  readonly number?: number;
  /** The versions that are served by number, each with the instant at which that ends. */
  readonly numbers?: Readonly<Record<number, number>>;
  readonly origins?: Readonly<Record<string, number>>;
  readonly remains?: 'all' | 'led';
  readonly firstFiles?: readonly FirstFile[];
}

/** Nothing stays in this folder. */
const unpackFolder = join(tmpdir(), 'spaceport-unpacked');

/** The content handler behind a real HTTP server on a free port, with sites made by hand. */
export async function startContentHost(options: Partial<ContentHandlerOptions> = {}) {
  const store = new MemoryStore();
  const sites = new Map<string, SiteAtHost>();
  const hosts = { app: 'localhost:3000', play: 'play.localhost:3000', preview: 'temp.localhost:3000' };
  const state = { now: 1_000_000, lookups: 0 };
  const logged: unknown[] = [];
  let find: ServingContext['findSite'] = async (kind, label, number) =>
    number === undefined
      ? (sites.get(`${kind}/${label}`) ?? { is: 'unknown' })
      : (sites.get(`${kind}/${label}~${number}`) ?? { is: 'gone' });
  const handler = createContentHandler(
    {
      store,
      now: () => state.now,
      hosts,
      appOrigin,
      modules: new ModuleTexts(
        Promise.resolve({
          module: moduleSource,
          together: togetherSource,
          shims: { crazygames: shimSource, poki: shimSource, gateways: shimSource },
        }),
      ),
      findSite: (kind, label, number) => {
        state.lookups++;
        return find(kind, label, number);
      },
    },
    { unpackFolder, log: (error) => logged.push(error), ...options },
  );
  const classify = createHostClassifier(hosts);
  const server = createServer((request, response) => {
    const target = classify(request.headers.host);
    if (target.is === 'play' || target.is === 'preview') handler.handle(request, response, target);
    else response.writeHead(421).end();
  });
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => connections.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  function addFile({ bytes, forms = {} }: NewFile): SiteFile {
    const stored: SiteFile['forms'] = {};
    for (const coding of ['br', 'zstd', 'gzip'] as const) {
      const form = forms[coding];
      if (form !== undefined) {
        const { key, size } = store.put(Buffer.from(form));
        stored[coding] = { key, size };
      }
    }
    return { ...store.put(Buffer.from(bytes)), forms: stored };
  }

  function addSite(label: string, files: Record<string, NewFile | string>, more: SiteOptions = {}) {
    const rows = new Map<string, SiteFile>();
    for (const [path, file] of Object.entries(files)) {
      rows.set(path, addFile(typeof file === 'string' ? { bytes: file } : file));
    }
    const { entry = 'index.html', spa = false, isolated = false, temporary = false, expiresAt } = more;
    const {
      sdk = false,
      shims = false,
      clientBoard = null,
      portalKeys = null,
      ascendingBoards = [],
      number = 7,
    } = more;
    const { numbers, origins, remains, firstFiles } = more;
    const site = {
      versionId: givenId('ver', label),
      number,
      files: rows,
      takenDown: [],
      entry,
      spa,
      sdk,
      shims,
      clientBoard,
      portalKeys,
      storage: true,
      ascendingBoards,
      isolated,
      ...(firstFiles && { firstFiles }),
      ...(origins === undefined ? {} : { origins: new Map(Object.entries(origins)) }),
    };
    const found: SiteAtHost = {
      is: 'site',
      site,
      temporary,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(numbers === undefined
        ? {}
        : { numbers: new Map(Object.entries(numbers).map(([key, until]) => [Number(key), until])) }),
      ...(remains === undefined ? {} : { remains }),
    };
    sites.set(`${temporary ? 'preview' : 'play'}/${label}`, found);
    return site;
  }

  function ask(path: string, { method = 'GET', host = 'game.play.localhost:3000', headers }: Ask = {}) {
    return new Promise<Answer>((resolve, reject) => {
      const sent = httpRequest(
        { port, host: '127.0.0.1', path, method, headers: { ...headers, host }, agent: false },
        (received) => {
          const chunks: Buffer[] = [];
          received.on('data', (chunk: Buffer) => chunks.push(chunk));
          received.on('error', reject);
          received.on('end', () => {
            const body = Buffer.concat(chunks);
            const { statusCode = 0, headers: answered } = received;
            resolve({ status: statusCode, headers: answered, body, text: body.toString() });
          });
        },
      );
      sent.on('error', reject);
      sent.end();
    });
  }

  /** Sends raw bytes, and returns everything until the server closes. */
  function raw(text: string | Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    });
  }

  return {
    handler,
    store,
    sites,
    state,
    logged,
    port,
    /** The bytes sent on all connections, as the kernel counts them. */
    bytesSent: () => [...connections].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    addSite,
    ask,
    raw,
    setFindSite: (next: ServingContext['findSite']) => {
      find = next;
    },
    async [Symbol.asyncDispose]() {
      handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type ContentHost = Awaited<ReturnType<typeof startContentHost>>;
