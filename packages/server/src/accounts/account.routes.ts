import { readMe } from '@spaceport/contract/account';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { findTokenById } from './accounts.queries.ts';

export function bindAccount(binder: Binder, { database, urls }: Platform): void {
  binder.bind(readMe, async ({ caller }) => {
    const found =
      caller.kind === 'creator' && caller.tokenId !== null
        ? await findTokenById(database.db, caller.tokenId)
        : undefined;
    if (!found) throw new ServiceError('unauthorized', 'An API token is needed.');
    const { creator, ...token } = found;
    return {
      body: {
        creator: {
          handle: creator.handle,
          name: creator.name,
          url: creator.handle === null ? null : urls.creator(creator.handle),
          created_at: toTimestamp(creator.createdAt),
        },
        token: {
          created_at: toTimestamp(token.createdAt),
          expires_at: toTimestamp(token.expiresAt),
          client_name: token.clientName,
        },
      },
    };
  });
}
