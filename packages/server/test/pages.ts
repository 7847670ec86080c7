import type { OutgoingHttpHeaders } from 'node:http';
import { type CountingListener, listenAndCount } from '../src/platform/safe-fetch/counting-listener.ts';

/** A page on a creator's server. A string is the content of its head. */
export interface TestPage {
  readonly head?: string;
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** A creator's web server on loopback, for services with its `address` in FETCH_ALLOW. */
export interface PageServer extends AsyncDisposable {
  readonly address: string;
  url(path: string): string;
  /** Sets the answer of `path`. Returns the page's URL. */
  put(path: string, page: string | TestPage): string;
  /** Requests for the path keep waiting from now on, until `release`. */
  hold(path: string): { readonly arrived: Promise<void>; release(): void };
  /** Returns the number of requests for a path. */
  asked(path: string): number;
  connections(): number;
}

interface Hold {
  readonly arrived: PromiseWithResolvers<void>;
  readonly released: PromiseWithResolvers<void>;
}

export async function startPages(): Promise<PageServer> {
  const pages = new Map<string, TestPage>();
  const holds = new Map<string, Hold>();
  const counts = new Map<string, number>();
  const listener: CountingListener = await listenAndCount(async (request, response) => {
    const path = request.url ?? '/';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const hold = holds.get(path);
    hold?.arrived.resolve();
    await hold?.released.promise;
    const page = pages.get(path) ?? { status: 404, head: '<title>Nothing here</title>' };
    response.writeHead(page.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...page.headers });
    response.end(page.body ?? `<!doctype html><head>${page.head ?? ''}</head><body>Hello</body>`);
  });
  const address = `127.0.0.1:${listener.port}`;
  const url = (path: string) => `http://${address}${path}`;
  return {
    address,
    url,
    put(path, page) {
      pages.set(path, typeof page === 'string' ? { head: page } : page);
      return url(path);
    },
    hold(path) {
      const hold = { arrived: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };
      holds.set(path, hold);
      return {
        arrived: hold.arrived.promise,
        release: () => {
          holds.delete(path);
          hold.released.resolve();
        },
      };
    },
    asked: (path) => counts.get(path) ?? 0,
    connections: () => listener.connections(),
    [Symbol.asyncDispose]: async () => {
      for (const { released } of holds.values()) released.resolve();
      await listener[Symbol.asyncDispose]();
    },
  };
}

/** Returns the proof tag for a creator. */
export function proofTag(handle: string): string {
  return `<meta name="service-owner" content="${handle}">`;
}
