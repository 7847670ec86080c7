import { storageProbe } from '@spaceport/contract/storage-probe';
import { hashSource } from '../platform/http/hash-source.ts';
import { commonHeaders, type FlatHeaders, forever, frameAncestors } from './policy-headers.ts';

/**
 * A response of our own on a content host. It contains nothing of the request, so nothing can be injected.
 */
export interface PlainPage {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: Buffer;
}
export type PlainPageName = keyof typeof texts | 'storageProbe';

const retrySeconds = '2';
/** After this time a browser loads the page again by itself: a player need not know that a frame can be reloaded. */
export const refreshSeconds = '5';
/** The colours and shapes of the app's own pages (docs/design-system.md), in one sheet that needs no other file. */
const style = [
  ':root{color-scheme:light dark}',
  'body{margin:0;min-height:100dvh;display:flex;flex-direction:column;font:1rem/1.55 system-ui,sans-serif;color:light-dark(#191a1f,#eceef2);background:light-dark(#f8f7f4,#0f1014)}',
  'header{padding:.9rem clamp(1rem,4vw,2.5rem);font-size:1.125rem;font-weight:680;letter-spacing:-.02em;background:light-dark(#fff,#17191f);border-bottom:1px solid light-dark(#e5e2db,#272a33)}',
  'main{flex:1;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:2rem 1rem 20vh;text-align:center}',
  'h1{margin:0 0 .5rem;font-size:clamp(1.5rem,1.3rem + 1vw,1.875rem);line-height:1.2}',
  'p{margin:0;max-width:46ch;color:light-dark(#5d616c,#9ba1af)}',
].join('');
const styleSource = hashSource(style);

const texts = {
  badRequest: {
    status: 400,
    title: 'That is no address',
    text: 'The address is not encoded as an address has to be.',
  },
  noServiceWorker: {
    status: 403,
    title: 'Refused',
    text: 'Temporary pages cannot register service workers.',
  },
  notFound: { status: 404, title: 'There is nothing here', text: 'Nothing is published at this address.' },
  methodNotAllowed: {
    status: 405,
    title: 'Method not allowed',
    text: 'Only GET and HEAD are answered here.',
    headers: ['Allow', 'GET, HEAD', 'Connection', 'close'],
  },
  gone: {
    status: 410,
    title: 'It is not here any more',
    text: 'What was here has been taken down, or has expired.',
    // The browser also deletes what the space stored in it, a service worker included. Not the cookies: they are
    // deleted for the whole registrable domain, and so for other spaces and for other sites of a creator's domain.
    headers: ['Clear-Site-Data', '"cache", "storage"'],
  },
  // The players' progress is in the browser, and the space may come back: only its files are deleted.
  away: {
    status: 410,
    title: 'It is not here at the moment',
    text: 'What is here otherwise is not shown, or has gone elsewhere.',
    headers: ['Clear-Site-Data', '"cache"'],
  },
  // The space still exists, so its storage in the browser is not cleared.
  versionGone: {
    status: 410,
    title: 'That version is over',
    text: 'The space goes on with another one: open its page again.',
  },
  noSpace: {
    status: 421,
    title: 'No space is here',
    text: 'The name leads to this service, but no space is shown under it. If it is yours, the dashboard of your space says which DNS record is missing.',
    // A browser may share the connection with hosts that are answered.
    headers: ['Connection', 'close'],
  },
  unsatisfiable: { status: 416, title: 'Range not satisfiable', text: 'The file is shorter than that.' },
  failed: { status: 500, title: 'Something went wrong', text: 'The problem is on our side.' },
  unavailable: {
    status: 503,
    title: 'Not available now',
    text: 'This page tries again by itself in a few seconds.',
    headers: ['Retry-After', retrySeconds, 'Refresh', refreshSeconds],
  },
} as const satisfies Record<
  string,
  { status: number; title: string; text: string; headers?: readonly string[] }
>;

/** Makes all plain pages, for an app at `appOrigin`. */
export function plainPages(appOrigin: string): Readonly<Record<PlainPageName, PlainPage>> {
  function page(name: keyof typeof texts): PlainPage {
    const { status, title, text, headers = [] } = { headers: undefined, ...texts[name] };
    const body = Buffer.from(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title} · Spaceport</title><style>${style}</style>` +
        `<header>Spaceport</header><main><h1>${title}</h1><p>${text}</p></main></html>\n`,
    );
    const all = [
      'Content-Type',
      'text/html; charset=utf-8',
      'Content-Length',
      String(body.length),
      ...ownHeaders(appOrigin),
      ...headers,
    ];
    return { status, body, headers: all };
  }
  return {
    badRequest: page('badRequest'),
    noServiceWorker: page('noServiceWorker'),
    notFound: page('notFound'),
    methodNotAllowed: page('methodNotAllowed'),
    gone: page('gone'),
    away: page('away'),
    versionGone: page('versionGone'),
    noSpace: page('noSpace'),
    unsatisfiable: page('unsatisfiable'),
    failed: page('failed'),
    unavailable: page('unavailable'),
    storageProbe: probePage(appOrigin),
  };
}

/**
 * Makes a page that tells only the app whether a frame of this origin may store anything. It stores nothing
 * itself.
 */
function probePage(appOrigin: string): PlainPage {
  const { works, refused } = storageProbe;
  const said = (what: string) => `parent.postMessage(${JSON.stringify(what)},${JSON.stringify(appOrigin)})`;
  const script = `try{localStorage.length;${said(works)}}catch{${said(refused)}}`;
  const body = Buffer.from(`<!doctype html><title>Storage</title><script>${script}</script>\n`);
  const type = ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(body.length)];
  const policy = `script-src ${hashSource(script)}`;
  return { status: 200, body, headers: [...type, ...ownHeaders(appOrigin, policy)] };
}

/** Returns the headers that accompany the Location of a redirect. */
export function redirectHeaders(appOrigin: string): FlatHeaders {
  return ['Content-Length', '0', ...ownHeaders(appOrigin)];
}

/** Returns the headers of a redirect that browsers remember and follow without another request. */
export function ledHeaders(appOrigin: string): FlatHeaders {
  return ['Content-Length', '0', ...ownHeaders(appOrigin, undefined, forever)];
}

function ownHeaders(
  appOrigin: string,
  runs = `style-src ${styleSource}`,
  cacheControl = 'private, no-store',
): FlatHeaders {
  return [
    'Cache-Control',
    cacheControl,
    'X-Robots-Tag',
    'noindex',
    'Content-Security-Policy',
    `default-src 'none'; ${runs}; base-uri 'none'; form-action 'none'; ${frameAncestors(appOrigin)}`,
    ...commonHeaders,
    // Without it, the frame of an isolated space shows nothing. These pages load nothing that it would refuse.
    'Cross-Origin-Embedder-Policy',
    'require-corp',
  ];
}
