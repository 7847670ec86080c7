import { createHash } from 'node:crypto';
import { requestIdSlot } from './exchange.ts';
import { commonHeaders, type FlatHeaders, frameAncestors } from './policy-headers.ts';

/** An answer of our own on a content host. It says nothing of the request, so there is nothing to inject. */
export interface PlainPage {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: Buffer;
}
export type PlainPageName = keyof typeof texts;

const retrySeconds = '2';
const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}';
const styleHash = createHash('sha256').update(style).digest('base64');

const texts = {
  badRequest: {
    status: 400,
    title: 'Bad request',
    text: 'The address is not encoded as an address has to be.',
  },
  noServiceWorker: {
    status: 403,
    title: 'Refused',
    text: 'Temporary pages cannot register service workers.',
  },
  notFound: { status: 404, title: 'Not found', text: 'There is nothing at this address.' },
  methodNotAllowed: {
    status: 405,
    title: 'Method not allowed',
    text: 'Only GET and HEAD are answered here.',
    headers: ['Allow', 'GET, HEAD', 'Connection', 'close'],
  },
  gone: {
    status: 410,
    title: 'Gone',
    text: 'What was here has been taken down, or its time is over.',
    // Also what the space left in this browser goes, a service worker included.
    headers: ['Clear-Site-Data', '"*"'],
  },
  unsatisfiable: { status: 416, title: 'Range not satisfiable', text: 'The file is shorter than that.' },
  failed: { status: 500, title: 'Something went wrong', text: 'The problem is on our side.' },
  unavailable: {
    status: 503,
    title: 'Not available now',
    text: 'Please try again in a moment.',
    headers: ['Retry-After', retrySeconds],
  },
} as const satisfies Record<
  string,
  { status: number; title: string; text: string; headers?: readonly string[] }
>;

/** Makes every plain page, for an app at `appOrigin`. */
export function plainPages(appOrigin: string): Readonly<Record<PlainPageName, PlainPage>> {
  function page(name: PlainPageName): PlainPage {
    const { status, title, text, headers = [] } = { headers: undefined, ...texts[name] };
    const body = Buffer.from(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title}</title><style>${style}</style><h1>${title}</h1><p>${text}</p></html>\n`,
    );
    const all = [
      'Content-Type',
      'text/html; charset=utf-8',
      'Content-Length',
      String(body.length),
      ...ownHeaders(appOrigin),
      ...headers,
      ...requestIdSlot,
    ];
    return { status, body, headers: all };
  }
  return {
    badRequest: page('badRequest'),
    noServiceWorker: page('noServiceWorker'),
    notFound: page('notFound'),
    methodNotAllowed: page('methodNotAllowed'),
    gone: page('gone'),
    unsatisfiable: page('unsatisfiable'),
    failed: page('failed'),
    unavailable: page('unavailable'),
  };
}

/** What goes with the Location of a redirect. */
export function redirectHeaders(appOrigin: string): FlatHeaders {
  return ['Content-Length', '0', ...ownHeaders(appOrigin), ...requestIdSlot];
}

function ownHeaders(appOrigin: string): FlatHeaders {
  return [
    'Cache-Control',
    'private, no-store',
    'X-Robots-Tag',
    'noindex',
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; ${frameAncestors(appOrigin)}`,
    ...commonHeaders,
    // So that the frame of an isolated space can show them.
    'Cross-Origin-Embedder-Policy',
    'credentialless',
  ];
}
