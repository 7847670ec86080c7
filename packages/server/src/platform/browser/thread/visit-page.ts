import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { createSafeProxy, type SafeProxy } from '../../safe-fetch/safe-proxy.ts';
import { pictureSize, type Visit, type VisitRequest } from '../visit.ts';
import type { Darkroom } from './darkroom.ts';
import { databaseNames } from './database-names.ts';
import { firstFrame } from './first-frame.ts';
import { noServiceWorker } from './no-service-worker.ts';
import { PageCrashed, type PageWatch, watchPage } from './page-watch.ts';
import { renderedDocuments } from './rendered-documents.ts';

export interface VisitTools {
  readonly browser: Browser;
  readonly darkroom: Darkroom;
  /** FETCH_ALLOW, and the names of our own hosts, which include their subdomains. */
  readonly allow: readonly string[];
  readonly ownNames: readonly string[];
}

const maxConnections = 64;
/**
 * The limit for other hosts. Connections to our own are not counted: a version may have thousands of files.
 */
const maxForeignConnections = 500;
/** The time for reading the documents and making the picture, after the page was watched. */
const afterwardsMs = 15_000;

class Ended extends Error {
  readonly end: Visit['end'];
  readonly detail: string | null;
  constructor(end: Visit['end'], detail: string | null = null) {
    super(end);
    this.end = end;
    this.detail = detail;
  }
}

/**
 * Opens the page in its own context and behind its own proxy, watches it, and removes both again.
 * @param onShown called when its picture was taken; it may still be watched then
 */
export async function visitPage(
  tools: VisitTools,
  request: VisitRequest,
  onShown: () => void = () => {},
): Promise<Visit> {
  const proxy = await openProxy(tools, request);
  const context = await sealedContext(tools.browser, proxy);
  try {
    const page = await context.newPage();
    const isFramed = request.around !== undefined;
    const watch = watchPage(context, page, { host: new URL(request.url).host, isFramed });
    return await watched({ ...tools, context, page, watch, proxy, onShown }, request);
  } finally {
    await proxy.close();
    await context.close().catch(() => {});
  }
}

interface Visiting extends VisitTools {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: PageWatch;
  readonly proxy: SafeProxy;
  readonly onShown: () => void;
}

async function watched(visiting: Visiting, request: VisitRequest): Promise<Visit> {
  const { watch, proxy } = visiting;
  const seen = {
    status: null as number | null,
    loaded: false,
    loadMs: 0,
    documents: [] as Visit['documents'],
    documentsCut: false,
    databases: [] as Visit['databases'],
    picture: null as Visit['picture'],
  };
  const over = request.staysOnHost
    ? watch.left.then((url) => Promise.reject(new Ended('left', url)))
    : new Promise<never>(() => {});
  over.catch(() => {});
  let ended: Ended;
  try {
    await Promise.race([lookAt(visiting, request, seen), over, watch.crashed]);
    ended = new Ended('seen');
  } catch (error) {
    if (error instanceof Ended) ended = error;
    else if (error instanceof PageCrashed) ended = new Ended('crashed', error.message);
    else throw error;
  }
  return {
    end: ended.end,
    detail: ended.detail,
    ...seen,
    bytes: proxy.counts().bytes,
    consoleErrors: watch.consoleErrors,
    openedWindows: watch.openedWindows(),
    failedRequests: watch.failedRequests,
    asked: [...watch.asked],
  };
}

async function lookAt(
  { page, context, darkroom, onShown }: Visiting,
  request: VisitRequest,
  seen: {
    -readonly [Name in
      | 'status'
      | 'loaded'
      | 'loadMs'
      | 'documents'
      | 'documentsCut'
      | 'databases'
      | 'picture']: Visit[Name];
  },
): Promise<void> {
  const began = performance.now();
  const answer = await page
    .goto(request.around ?? request.url, { waitUntil: 'commit', timeout: request.loadMs })
    .catch((error: Error) => Promise.reject(new Ended('unreachable', firstLine(error))));
  seen.status = answer?.status() ?? null;
  const left = () => request.loadMs - (performance.now() - began);
  seen.loaded = await page.waitForLoadState('load', { timeout: Math.max(1, left()) }).then(
    () => true,
    () => false,
  );
  seen.loadMs = Math.round(performance.now() - began);

  const session = await inTime(context.newCDPSession(page), request.loadMs);
  const inner =
    request.around === undefined
      ? session
      : await inTime(frameSession(context, page, session), request.loadMs);
  const click = request.clicksWhenBlank
    ? () => page.mouse.click(pictureSize.width / 2, pictureSize.height / 2)
    : null;
  const watchedEnough = pause(request.watchMs);
  const { afterMs, pictureMs } = request;
  const isLater = afterMs > 0;
  if (isLater && click) await inTime(click(), request.loadMs);
  if (isLater) await pause(afterMs);
  const frames = firstFrame(session, darkroom, { pictureMs, click: isLater ? null : click });
  const frame = await inTime(frames, pictureMs + request.loadMs);
  onShown();
  await watchedEnough;
  await inTime(answers(inner), request.loadMs);
  if (request.readsDocuments) {
    const { documents, cut } = await inTime(renderedDocuments(context, page, session), afterwardsMs);
    seen.documents = documents;
    seen.documentsCut = cut;
    // The names only add to what is known: without them the verdict stands.
    seen.databases = await inTime(databaseNames(session, request.url), afterwardsMs).catch(() => []);
  }
  if (frame !== null) seen.picture = await inTime(darkroom.develop(frame), afterwardsMs);
}

/** Opens a session for the page in the frame; where that is in one process with the page around it, they share one. */
async function frameSession(context: BrowserContext, page: Page, around: CDPSession): Promise<CDPSession> {
  const [frame] = page.mainFrame().childFrames();
  return frame ? context.newCDPSession(frame).catch(() => around) : around;
}

/** Resolves when the page's main thread responds. */
async function answers(session: CDPSession): Promise<void> {
  await session.send('Runtime.evaluate', { expression: '1' });
}

/** A page that blocks its thread never responds, so every wait has a limit. */
async function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  const timer = new AbortController();
  const late = pause(milliseconds, null, { signal: timer.signal }).then(() =>
    Promise.reject(new Ended('stuck')),
  );
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    promise.catch(() => {});
  }
}

function firstLine(error: Error): string {
  return (error.message.split('\n')[0] ?? '').slice(0, 300);
}

function openProxy(
  { allow, ownNames }: VisitTools,
  { mapped, around, maxBytes }: VisitRequest,
): Promise<SafeProxy> {
  let foreign = 0;
  const mappedHosts = mapped === null ? [] : [mapped.host, ...(around ? [new URL(around).host] : [])];
  const ownHosts = mappedHosts.map(hostOf);
  return createSafeProxy({
    allow,
    ownHosts: (host) => ownNames.some((name) => host === name || host.endsWith(`.${name}`)),
    mapHost: (host) =>
      mapped && mappedHosts.includes(host) ? { host: '127.0.0.1', port: mapped.port } : null,
    permits: ({ host }) => ownHosts.includes(host) || ++foreign <= maxForeignConnections,
    maxBytes,
    maxConnections,
  });
}

function hostOf(host: string): string {
  return new URL(`http://${host}`).hostname;
}

async function sealedContext(browser: Browser, proxy: SafeProxy): Promise<BrowserContext> {
  const context = await browser.newContext({
    proxy: { server: proxy.url },
    viewport: pictureSize,
    deviceScaleFactor: 1,
    locale: 'en-US',
    acceptDownloads: false,
    // Previews refuse service workers anyway, and a visit ends before one would be used.
    serviceWorkers: 'block',
    userAgent: await plainUserAgent(browser),
  });
  await context.addInitScript({ content: noServiceWorker });
  // Grants no permission, and refuses all others without a prompt.
  await context.grantPermissions([]);
  return context;
}

const userAgents = new WeakMap<Browser, string>();

/**
 * Returns the browser's own user agent without the word "Headless", so that the page behaves as for players.
 */
async function plainUserAgent(browser: Browser): Promise<string> {
  const known = userAgents.get(browser);
  if (known !== undefined) return known;
  const session = await browser.newBrowserCDPSession();
  const { userAgent } = await session.send('Browser.getVersion');
  await session.detach();
  const plain = userAgent.replace('HeadlessChrome', 'Chrome');
  userAgents.set(browser, plain);
  return plain;
}
