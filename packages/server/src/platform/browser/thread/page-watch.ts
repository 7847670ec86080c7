import type { BrowserContext, Page, Request } from 'playwright-core';
import type { FailedRequest } from '../visit.ts';

const maxErrors = 20;
const maxErrorLength = 300;
const maxFailed = 40;
const maxUrlLength = 1_000;

/** What a page does while it is open, as far as it is told about, and no more of it than a report holds. */
export interface PageWatch {
  readonly consoleErrors: string[];
  readonly failedRequests: FailedRequest[];
  /** Answers the address when the page goes to another host. */
  readonly left: Promise<string>;
  /** Rejects when the page's process ends. */
  readonly crashed: Promise<never>;
}

export class PageCrashed extends Error {}

/** Starts to watch, and to close or turn down whatever a page may open or ask: windows, dialogs. */
export function watchPage(context: BrowserContext, page: Page, host: string): PageWatch {
  const consoleErrors: string[] = [];
  const failedRequests: FailedRequest[] = [];
  const left = Promise.withResolvers<string>();
  const crashed = Promise.withResolvers<never>();
  // Nobody may be waiting for it when it comes.
  crashed.promise.catch(() => {});

  const addError = (text: string) => {
    if (consoleErrors.length < maxErrors) consoleErrors.push(text.slice(0, maxErrorLength));
  };
  const addFailed = (request: Request, status: number | null, reason: string) => {
    if (failedRequests.length >= maxFailed || isUnasked(request)) return;
    const url = request.url().slice(0, maxUrlLength);
    if (failedRequests.every((one) => one.url !== url)) failedRequests.push({ url, status, reason });
  };

  context.on('page', (opened) => {
    if (opened !== page) void opened.close().catch(() => {});
  });
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  page.on('crash', () => crashed.reject(new PageCrashed('the tab crashed')));
  page.on('pageerror', (error) => addError(error.message || String(error)));
  page.on('console', (message) => {
    // What did not load stands among the requests.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      addError(message.text());
    }
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    // Given up by the page itself, or by our leaving.
    if (reason !== 'net::ERR_ABORTED') addFailed(request, null, reason);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) addFailed(response.request(), response.status(), response.statusText());
  });
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || request.frame().parentFrame() !== null) return;
    const url = URL.parse(request.url());
    if (url && /^https?:$/u.test(url.protocol) && url.host !== host) left.resolve(url.href);
  });
  return { consoleErrors, failedRequests, left: left.promise, crashed: crashed.promise };
}

/** The browser asks for it, not the page. */
function isUnasked(request: Request): boolean {
  return URL.parse(request.url())?.pathname === '/favicon.ico';
}
