import type { Platform } from '../platform/context.ts';
import { FetchRefused } from '../platform/safe-fetch/refusal.ts';
import type { FetchedPage } from '../platform/safe-fetch/safe-fetch.ts';
import { addressOf } from '../spaces/space-view.ts';
import { type SpaceRow, spaceAt } from '../spaces/spaces.ts';
import { urlKey } from './address.ts';
import { isBlocked } from './blocked.ts';
import { blocked, duplicate, invalidUrl, sameUrl, unframeable, unreachable } from './listing-errors.ts';
import { frameRefusal, type PageHead, readHead } from './page-head.ts';

/** A page that passed the checks for every listing. */
export interface ListablePage {
  /** The given address in the spelling of the URL standard. */
  readonly url: string;
  /** The `urlKey` of the given address, and of the one after redirects. */
  readonly keys: ReadonlySet<string>;
  readonly head: PageHead;
}

/**
 * Opens a page that is to be listed, or that `moving` is to move to, and makes the checks that need no proof
 * of ownership. It uses the database and the network, so it runs outside any transaction; the checks that
 * must be exact are repeated inside one.
 * @throws `invalid`, `blocked`, `same_url`, `duplicate`, `unreachable`, `unframeable`
 */
export async function openListablePage(
  platform: Platform,
  given: string,
  moving: SpaceRow | null,
): Promise<ListablePage> {
  const own = moving && urlKey(addressOf(platform.urls, moving));
  if (own === urlKey(given)) throw sameUrl();
  const first = askable(platform, given);
  await requireFree(platform, first.href, own, moving);
  const page = await fetchPage(platform, first);
  await requireFree(platform, page.finalUrl, own, moving);
  requireFrameable(platform, page);
  const url = `${first.href}${new URL(given).hash}`;
  return { url, keys: new Set([urlKey(first.href), urlKey(page.finalUrl)]), head: readHead(page.text()) };
}

/**
 * Opens a page that is listed already, and returns its head.
 * @throws `invalid`, `blocked`, `unreachable`, and the signal's reason
 */
export async function openListedPage(
  platform: Platform,
  url: string,
  signal?: AbortSignal,
): Promise<PageHead> {
  const { db } = platform.database;
  const first = askable(platform, url);
  if (await isBlocked(db, first.href)) throw blocked();
  const page = await fetchPage(platform, first, signal);
  if (await isBlocked(db, page.finalUrl)) throw blocked();
  return readHead(page.text());
}

/** Returns whether the page names this creator as its owner. Case does not matter in handles. */
export function namesOwner({ proofTags }: PageHead, handle: string): boolean {
  const wanted = handle.toLowerCase();
  return proofTags.some((tag) => tag.replace(/^@/u, '').toLowerCase() === wanted);
}

function askable({ safeFetch }: Platform, address: string): URL {
  try {
    return safeFetch.checkUrl(address);
  } catch (error) {
    throw asRefusal(error);
  }
}

async function requireFree(
  { database: { db }, urls }: Platform,
  address: string,
  own: string | null,
  moving: SpaceRow | null,
): Promise<void> {
  if (await isBlocked(db, address)) throw blocked();
  const key = urlKey(address);
  if (key === own) throw sameUrl();
  const other = await spaceAt(db, key);
  if (other && other.id !== moving?.id) throw duplicate(urls.page(other.slug));
}

async function fetchPage({ safeFetch, log }: Platform, url: URL, signal?: AbortSignal): Promise<FetchedPage> {
  let page: FetchedPage;
  try {
    page = await safeFetch.fetchPage(url, signal ? { signal } : {});
  } catch (error) {
    if (error instanceof FetchRefused) log.info({ host: url.host, err: error.cause }, 'page not fetched');
    throw asRefusal(error);
  }
  if (!isPage(page)) throw unreachable('The address did not answer with a page.');
  return page;
}

/** Converts the refusals of `safeFetch` to service errors. This is the only place that does so. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof FetchRefused)) return error;
  const { refusal, message } = error;
  if (refusal.kind === 'not_listed')
    return invalidUrl('must be the http or https address of a page on the public web, at port 80 or 443');
  return unreachable(message, refusal.kind === 'status' ? refusal.status : null);
}

/**
 * Returns whether a body is a page. A browser treats a body without a type as a page if it begins like one
 * (WHATWG MIME Sniffing §7.1).
 */
function isPage({ contentType, body }: FetchedPage): boolean {
  if (contentType === 'text/html' || contentType === 'application/xhtml+xml') return true;
  return contentType === '' && /^\s*</u.test(body.toString('latin1', 0, 512));
}

function requireFrameable({ urls }: Platform, page: FetchedPage): void {
  const header = frameRefusal(page.headers, urls.app, page.finalUrl);
  if (header !== null) throw unframeable(header, urls.app);
}
