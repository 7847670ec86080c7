import type { BrowserContext, Page, Request } from 'playwright-core';
import { isUsualError } from '../usual-error.ts';
import type { ConsoleError, FailedRequest } from '../visit.ts';

const maxErrors = 20;
const maxErrorLength = 300;
const maxFailed = 40;
const maxAsked = 200;
const maxUrlLength = 1_000;

/** What a page does while it is open, limited to the size of a report. */
export interface PageWatch {
  readonly consoleErrors: ConsoleError[];
  openedWindows(): number;
  readonly failedRequests: FailedRequest[];
  readonly asked: ReadonlySet<string>;
  /** Resolves with the address when the page goes to another host. */
  readonly left: Promise<string>;
  /** Rejects when the page's process ends. */
  readonly crashed: Promise<never>;
}

export class PageCrashed extends Error {}

/**
 * Starts to watch the page, and to close or refuse the windows and dialogs that it opens.
 * @param isFramed the page at the host is in a frame of the one that is opened
 */
export function watchPage(
  context: BrowserContext,
  page: Page,
  { host, isFramed }: { readonly host: string; readonly isFramed: boolean },
): PageWatch {
  const consoleErrors: ConsoleError[] = [];
  let openedWindows = 0;
  const failedRequests: FailedRequest[] = [];
  const asked = new Set<string>();
  const left = Promise.withResolvers<string>();
  const crashed = Promise.withResolvers<never>();
  // The rejection may come when nobody is waiting for it.
  crashed.promise.catch(() => {});

  const addError = (text: string, at: ConsoleError['at'], stack: string | null) => {
    if (consoleErrors.length >= maxErrors || isUsualError(text)) return;
    const message = text.slice(0, maxErrorLength);
    const isSame = (one: ConsoleError) =>
      one.message === message && one.at?.url === at?.url && one.at?.line === at?.line;
    // An error that repeats with every frame counts once.
    if (!consoleErrors.some(isSame)) consoleErrors.push({ message, at, stack });
  };
  const addFailed = (request: Request, status: number | null, reason: string) => {
    if (failedRequests.length >= maxFailed || isUnasked(request)) return;
    const url = request.url().slice(0, maxUrlLength);
    if (failedRequests.every((one) => one.url !== url)) failedRequests.push({ url, status, reason });
  };

  context.on('page', (opened) => {
    if (opened === page) return;
    openedWindows++;
    void opened.close().catch(() => {});
  });
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  page.on('crash', () => crashed.reject(new PageCrashed('the tab crashed')));
  context.on('weberror', (thrown) => {
    const error = thrown.error();
    addError(error.message || String(error), place(thrown.location()), framesOf(error.stack));
  });
  page.on('console', (message) => {
    // Resources that did not load are listed among the requests.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      const { url, lineNumber: line, columnNumber: column } = message.location();
      addError(message.text(), place({ url, line, column }), null);
    }
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    // The page itself gave it up, or the visit ended.
    if (reason !== 'net::ERR_ABORTED') addFailed(request, null, reason);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) addFailed(response.request(), response.status(), response.statusText());
  });
  page.on('request', (request) => {
    if (/^(?:script|xhr|fetch)$/u.test(request.resourceType()) && asked.size < maxAsked)
      asked.add(request.url().slice(0, maxUrlLength));
    const around = isFramed ? page.mainFrame() : null;
    if (!request.isNavigationRequest() || request.frame().parentFrame() !== around) return;
    const url = URL.parse(request.url());
    if (url && /^https?:$/u.test(url.protocol) && url.host !== host) left.resolve(url.href);
  });
  return {
    consoleErrors,
    openedWindows: () => openedWindows,
    failedRequests,
    asked,
    left: left.promise,
    crashed: crashed.promise,
  };
}

const maxStackLength = 2_000;

/** The browser counts lines and columns from 0; people and editors count from 1. */
function place({ url, line, column }: { url: string; line: number; column: number }): ConsoleError['at'] {
  return url === '' ? null : { url: url.slice(0, maxUrlLength), line: line + 1, column: column + 1 };
}

function framesOf(stack: string | undefined): string | null {
  const frames = (stack ?? '').split('\n').filter((line) => /^\s*at /u.test(line));
  return frames.length === 0 ? null : frames.join('\n').slice(0, maxStackLength);
}

/** Returns whether the browser itself made the request, and not the page. */
function isUnasked(request: Request): boolean {
  return URL.parse(request.url())?.pathname === '/favicon.ico';
}
