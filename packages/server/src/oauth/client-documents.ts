import { clientDocument } from '@spaceport/contract/oauth';
import { parseWith } from '@spaceport/contract/parse';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { newestOf } from '../platform/limits/newest-of.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';
import { FetchRefused } from '../platform/safe-fetch/refusal.ts';
import type { Client } from './clients.ts';
import { redirectProblem } from './redirect-uri.ts';
import { shownName } from './shown-name.ts';

const maxDocumentBytes = 16 * 1024;
const keptMs = 10 * 60_000;
const keptDocuments = 500;
/** A person signs in a program or two. More fetches would be an abuse of this service's network. */
const fetchesPerMinute = 10;

/** Reads clients whose id is the address of a document about them. */
export interface ClientDocuments {
  /**
   * @param asker the account that the document is read for, whose fetches are counted
   * @throws `invalid` for a wrong document, `rate_limited`
   */
  read(clientId: string, asker: string): Promise<Client>;
}

export function createClientDocuments({ safeFetch, clock, together }: Platform): ClientDocuments {
  const kept = newestOf<Client & { readonly until: number }>(keptDocuments);
  const fetches = new SharedBuckets(together, 'documents of programs', fetchesPerMinute);

  return {
    async read(clientId, asker) {
      const now = clock.now();
      const known = kept.get(clientId);
      if (known && known.until > now) return known;
      await requireTaken([fetches.take(asker)], 'Too many programs were asked for; try again shortly.');
      const client = clientIn(clientId, await textAt(clientId));
      kept.set(clientId, { ...client, until: now + keptMs });
      return client;
    },
  };

  async function textAt(clientId: string): Promise<string> {
    try {
      const page = await safeFetch.fetchPage(clientId, { headers: { accept: 'application/json' } });
      if (page.finalUrl !== clientId) throw wrong('leads on to another address');
      if (page.body.length > maxDocumentBytes) throw wrong(`is over ${maxDocumentBytes} bytes`);
      return page.text();
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      throw wrong('could not be read');
    }
  }
}

/**
 * Returns whether a client's id is the address of a document. Plain http is accepted only for 127.0.0.1,
 * which must also be allowed by name.
 */
export function isDocumentAddress(clientId: string): boolean {
  const url = /^https?:\/\//u.test(clientId) ? URL.parse(clientId) : null;
  if (url === null) return false;
  const { href, protocol, hostname, pathname, hash, username, password } = url;
  const isSecure = protocol === 'https:' || hostname === '127.0.0.1';
  return (
    isSecure && href === clientId && pathname !== '/' && hash === '' && username === '' && password === ''
  );
}

/** @throws `invalid` */
function clientIn(clientId: string, text: string): Client {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('is not JSON');
  }
  const parsed = parseWith(clientDocument, value);
  if (!parsed.success) {
    const [problem] = parsed.problems;
    throw wrong(`says «${problem?.path.join('.')}» that ${problem?.message}`);
  }
  const { client_id, client_name, redirect_uris } = parsed.data;
  if (client_id !== clientId) throw wrong('is about another program');
  if (redirect_uris.some((uri) => redirectProblem(uri) !== null))
    throw wrong('names an address to go back to that is none');
  return {
    id: clientId,
    name: shownName(client_name),
    site: new URL(clientId).host,
    redirectUris: redirect_uris,
  };
}

function wrong(problem: string): ServiceError {
  return new ServiceError('invalid', `The document of the program that wants to sign in ${problem}.`);
}
