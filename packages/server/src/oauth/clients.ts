import type { clientRegistration } from '@spaceport/contract/oauth';
import type { z } from 'zod';
import type { Platform } from '../platform/context.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import { ServiceError } from '../platform/errors.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { newId } from '../platform/secrets/id.ts';
import { createClientDocuments, isDocumentAddress } from './client-documents.ts';
import { findClient, insertClient } from './clients.queries.ts';
import { OAuthError } from './oauth-error.ts';
import { redirectProblem } from './redirect-uri.ts';
import { shownName } from './shown-name.ts';

/**
 * A program that people can let in. Programs have no secret: they are identified by their redirect addresses.
 */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** The host of the program's document; null for a registered program, whose name is not verified. */
  readonly site: string | null;
  readonly redirectUris: readonly string[];
}

export interface Clients {
  /**
   * Returns the program with an id.
   * @param asker the account that it is looked up for
   * @throws `invalid`, `rate_limited`
   */
  find(clientId: string, asker: string): Promise<Client>;
  /**
   * Registers a program (RFC 7591).
   * @throws OAuthError for an invalid redirect address, and `rate_limited`
   */
  register(
    wish: z.output<typeof clientRegistration>,
    address: string,
  ): Promise<Client & { readonly createdAt: number }>;
}

const hour = 3600;

export function createClients(platform: Platform): Clients {
  const { database, clock, config } = platform;
  const documents = createClientDocuments(platform);

  return {
    async find(clientId, asker) {
      if (isDocumentAddress(clientId)) return documents.read(clientId, asker);
      const row = await findClient(database.db, clientId);
      if (!row)
        throw new ServiceError(
          'invalid',
          'The program that wants to sign in is not known here: let it register again.',
        );
      return { id: row.id, name: row.name, site: null, redirectUris: fromJson(row.redirect_uris) };
    },

    async register({ client_name, redirect_uris }, address) {
      for (const uri of redirect_uris) {
        const problem = redirectProblem(uri);
        if (problem !== null)
          throw new OAuthError('invalid_redirect_uri', `«${uri.slice(0, 200)}» ${problem}.`);
      }
      const name = shownName(client_name);
      const createdAt = clock.now();
      const id = newId('cli');
      await database.transaction(async (tx) => {
        const limit = { count: config.DEVICE_LOGINS_PER_HOUR, seconds: hour };
        const message = 'Too many programs were registered from your network; try again later.';
        await requireWithin(tx, `oauth-register:${networkOf(address)}`, limit, message);
        const row = { id, name, redirect_uris: toJson<readonly string[]>(redirect_uris) };
        await insertClient(tx, { ...row, created_at: createdAt, used_at: null });
      });
      return { id, name, site: null, redirectUris: redirect_uris, createdAt };
    },
  };
}
