import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakeAnswer, fail, limits, me, now, ok } from './fake-answers.ts';

interface StoredVersion {
  id: string;
  number: number;
  slug: string;
  status: string;
  hashes: Map<string, number>;
  paths: string[];
  reason?: string;
  report?: unknown;
  stopped?: boolean;
  createdAt: string;
}

/**
 * A service in memory that knows as much of the contract as publishing needs. It tests the client alone, and
 * can produce every failure. Other tests run the client against the real service.
 */
export class FakeService {
  readonly token = 'sp_token_test';
  readonly claim = 'sp_claim_test';
  /** `METHOD path` of every request, in order. */
  readonly log: string[] = [];
  readonly blobs = new Map<string, number>();
  readonly versions = new Map<string, StoredVersion>();
  /** Bodies of creates, in order. */
  readonly creates: Record<string, unknown>[] = [];
  /** The keys of creates, in order, also of those that get no answer. */
  readonly createKeys: unknown[] = [];
  /** The result of the safety check. */
  verdict: Partial<Pick<StoredVersion, 'status' | 'reason' | 'report' | 'stopped'>> = { status: 'live' };
  /** The result of the check of a preview. */
  previewVerdict: Partial<Pick<StoredVersion, 'status' | 'reason' | 'report'>> = {
    report: { findings: [] },
  };
  /**
   * Is asked for each request. An answer replaces that of the route, `hang-up` drops the connection, and null
   * changes nothing.
   */
  intercept: (method: string, path: string, count: number) => FakeAnswer | 'hang-up' | null = () => null;
  /** Whether it takes several files in one request. Older services do not. */
  takesBatches = false;
  /** Upload links that are refused as expired. */
  readonly expiredLinks = new Set<string>();
  baseUrl = '';
  #server: Server;
  #counts = new Map<string, number>();
  #links = new Map<string, { version: StoredVersion; sha256: string }>();

  constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        response.writeHead(500).end(JSON.stringify({ error: 'server_error', message: String(error) }));
      });
    });
  }

  static async start(): Promise<FakeService> {
    const service = new FakeService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    // A TCP server's address is never a string or null while it listens.
    service.baseUrl = `http://127.0.0.1:${(service.#server.address() as AddressInfo).port}`;
    return service;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? '';
    const url = new URL(request.url ?? '', this.baseUrl);
    this.log.push(`${method} ${url.pathname}`);
    if (url.pathname === '/api/v1/hosting/versions') this.createKeys.push(request.headers['idempotency-key']);
    const kind = `${method} ${url.pathname.replaceAll(/v_[\w-]+|up_[\w-]+/gu, '*')}`;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const forced = this.intercept(method, url.pathname, count);
    if (forced === 'hang-up') {
      request.socket.destroy();
      return;
    }
    const answer = forced ?? (await this.#route(url, request));
    if (forced !== null) request.resume();
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'x-request-id': 'request-1',
      ...answer.headers,
    });
    response.end(JSON.stringify(answer.body));
  }

  async #route(url: URL, request: IncomingMessage): Promise<FakeAnswer> {
    const path = url.pathname;
    if (path === '/healthz') return ok({ status: 'ok' });
    if (path.startsWith('/upload/')) return this.#upload(path.slice('/upload/'.length), request);
    if (path === '/batch') return this.#batch(request);
    const body = await readJson(request);
    if (!this.#mayCall(path, request, body)) {
      return path.startsWith('/api/v1/hosting')
        ? fail(401, 'unauthorized', 'The token is missing.')
        : { status: 401, body: { error: 'unauthorized', message: 'The token is missing.' } };
    }
    if (path === '/api/agent/me') return ok(me);
    if (path === '/api/v1/hosting/claim') return ok({ pageUrl: `${this.baseUrl}/s/a-game`, expiresAt: now });
    if (path === '/api/v1/hosting/versions') {
      return this.#create(body, request.headers.authorization === undefined && body.claim === undefined);
    }
    const space = /^\/api\/v1\/hosting\/spaces\/([^/]+)\/(\w+)$/u.exec(path);
    if (space) return this.#space(space[1] ?? '', space[2] ?? '', body);
    const [, id = '', action = ''] = /^\/api\/v1\/hosting\/versions\/([^/]+)\/?(\w*)$/u.exec(path) ?? [];
    const version = this.versions.get(id);
    if (!version) return fail(404, 'not_found', 'There is no such version.');
    if (action === '') return ok(this.#read(version, url.searchParams.has('wait')));
    if (action === 'uploads') return ok({ uploads: this.#uploads(version), ...this.#offer() });
    if (action === 'finish') return this.#finish(version, body.preview !== false);
    if (action === 'preview')
      return ok({
        previewUrl: 'http://p--x.test/',
        previewPageUrl: `${this.baseUrl}/preview/p--x`,
        expiresAt: now,
      });
    if (version.status !== 'refused') return fail(409, 'not_refused', 'The version was not refused.');
    return ok({ requestedAt: now });
  }

  #mayCall(path: string, request: IncomingMessage, body: Record<string, unknown>): boolean {
    if (request.headers.authorization !== undefined) {
      return request.headers.authorization === `Bearer ${this.token}`;
    }
    const claim = request.headers['x-service-claim'] ?? body.claim;
    return claim === this.claim || (path === '/api/v1/hosting/versions' && claim === undefined);
  }

  #create(body: Record<string, unknown>, giveClaim: boolean): FakeAnswer {
    this.creates.push(body);
    // Only the client under test sends this body. The real service would validate it.
    const files = body.files as { path: string; size: number; sha256: string }[];
    const hashes = new Map(files.map((file) => [file.sha256, file.size]));
    if (body.dryRun) {
      const missing = [...hashes].filter(([hash]) => !this.blobs.has(hash));
      const bytes = missing.reduce((sum, [, size]) => sum + size, 0);
      const diff = { added: files.map((file) => file.path), changed: [], removed: [], unchanged: 0 };
      return ok({ dryRun: true, missing: { files: missing.length, bytes }, diff, limits });
    }
    if (body.space === 'not-mine') return fail(403, 'not_owner', 'That space is not yours.');
    const slug = String(body.space ?? 'a-game');
    const version: StoredVersion = {
      id: `v_${randomUUID()}`,
      number: this.versions.size + 1,
      slug,
      status: 'uploading',
      hashes,
      paths: files.map((file) => file.path),
      createdAt: now,
    };
    this.versions.set(version.id, version);
    const { id, number } = version;
    return {
      status: 201,
      body: {
        version: { id, number },
        space: { slug, url: `http://${slug}.play.test/` },
        uploads: this.#uploads(version),
        ...this.#offer(),
        limits,
        ...(giveClaim && { claimToken: this.claim, pageUrl: `${this.baseUrl}/s/${slug}`, expiresAt: now }),
      },
    };
  }

  #uploads(version: StoredVersion) {
    return [...version.hashes.keys()]
      .filter((sha256) => !this.blobs.has(sha256))
      .map((sha256) => {
        const link = `up_${randomUUID()}`;
        this.#links.set(link, { version, sha256 });
        return { sha256, url: `${this.baseUrl}/upload/${link}` };
      });
  }

  async #upload(link: string, request: IncomingMessage): Promise<FakeAnswer> {
    const target = this.#links.get(link);
    if (!target || this.expiredLinks.has(link)) return fail(403, 'link_expired', 'The link is expired.');
    if (request.headers.authorization !== undefined)
      return fail(400, 'invalid_request', 'No credential here.');
    const digest = createHash('sha256');
    let size = 0;
    for await (const chunk of request) {
      digest.update(chunk);
      size += chunk.length;
    }
    if (digest.digest('hex') !== target.sha256)
      return fail(422, 'invalid_files', 'Other bytes than declared.');
    this.blobs.set(target.sha256, size);
    return ok({ sha256: target.sha256, size });
  }

  #offer() {
    return this.takesBatches ? { batch: { url: `${this.baseUrl}/batch`, maxFileBytes: 1_000 } } : {};
  }

  async #batch(request: IncomingMessage): Promise<FakeAnswer> {
    if (request.headers.authorization !== undefined)
      return fail(400, 'invalid_request', 'No credential here.');
    let rest = Buffer.concat(await Array.fromAsync(request));
    const files = [];
    while (rest.byteLength > 0) {
      const end = rest.indexOf('\n');
      const link = rest.toString('utf8', 0, end).split('/').at(-1) ?? '';
      const { version, sha256 } = this.#links.get(link) ?? {};
      const size = version?.hashes.get(sha256 ?? '');
      if (sha256 === undefined || size === undefined || this.expiredLinks.has(link))
        return fail(403, 'link_expired', 'The link is expired.');
      const bytes = rest.subarray(end + 1, end + 1 + size);
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        return fail(422, 'invalid_files', 'Other bytes than declared.');
      this.blobs.set(sha256, size);
      files.push({ sha256, size });
      rest = rest.subarray(end + 1 + size);
    }
    return ok({ files });
  }

  #finish(version: StoredVersion, preview: boolean): FakeAnswer {
    const missing = [...version.hashes.keys()].filter((hash) => !this.blobs.has(hash));
    if (missing.length > 0) {
      return { status: 409, body: { error: 'Files are missing.', code: 'missing_uploads', paths: missing } };
    }
    const watchUrl = `${this.baseUrl}/api/v1/hosting/versions/${version.id}`;
    version.status = preview ? 'preview' : 'checking';
    return ok({
      status: version.status,
      watchUrl,
      ...(preview && { previewUrl: `http://p--${version.number}.test/` }),
    });
  }

  #read(version: StoredVersion, wait: boolean) {
    const { id, number, status, createdAt, slug } = version;
    // The check ends when a request waits for it.
    if (wait && status === 'checking') Object.assign(version, this.verdict);
    if (wait && status === 'preview' && version.report === undefined)
      Object.assign(version, this.previewVerdict);
    return {
      id,
      number,
      status: version.status,
      createdAt,
      pageUrl: `${this.baseUrl}/s/${slug}`,
      reviewRequested: false,
      ...(version.status === 'preview' && { previewUrl: `http://p--${number}.test/` }),
      ...(version.reason !== undefined && { reason: version.reason }),
      ...(version.report !== undefined && { report: version.report }),
      ...(version.stopped && { stopped: true }),
    };
  }

  #space(slug: string, action: string, body: Record<string, unknown>): FakeAnswer {
    const versions = [...this.versions.values()].filter((version) => version.slug === slug).reverse();
    if (action === 'versions') {
      const list = versions.filter((version) => version.status !== 'uploading');
      return ok({
        versions: list.map((version, index) => ({
          id: version.id,
          number: version.number,
          status: version.status,
          createdAt: version.createdAt,
          live: index === 0 && version.status === 'live',
          files: version.paths.length,
          size: 1,
          rollback: version.status === 'live' && index > 0,
          reviewable: false,
          leftBehind: false,
        })),
      });
    }
    const target = versions.find((version) => version.number === body.version);
    if (target?.status !== 'live') return fail(409, 'not_allowed', 'That version was never live.');
    return ok({ version: { number: target.number }, status: 'live', pageUrl: `${this.baseUrl}/s/${slug}` });
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += chunk;
  // The client under test sends only objects.
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
