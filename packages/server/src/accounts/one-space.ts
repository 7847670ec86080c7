import type { Operation } from '@spaceport/contract/operation';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { Confine } from '../platform/http/operations.ts';
import { findSpaceOfVersion } from './own-spaces.queries.ts';
import type { TokenSpace } from './token-reach.ts';

/**
 * Creates the check that confines a token for one space to that space. The operation says where its calls
 * name their space. A call that names no space, a page without an account, and any other space, existing
 * or not, are `forbidden`.
 */
export function createConfine({ database }: Pick<Platform, 'database'>): Confine {
  return (caller, operation, about) => {
    if (caller.kind === 'creator' && caller.onlySpace !== null)
      return confineTo(caller.onlySpace, caller, operation, about);
  };

  async function confineTo(
    only: TokenSpace,
    caller: CreatorCaller,
    operation: Operation,
    { params, body }: Parameters<Confine>[2],
  ): Promise<void> {
    // Any token may ask which account it belongs to.
    if (operation.scope === undefined) return;
    // Publishing with a claim would turn a page into another space of the account.
    if (caller.claim !== null) throw otherSpace(only);
    // These are checked again when the version is created: the archive names the space.
    if (operation.space === 'listed' || operation.space === 'in_archive') return;
    if (operation.space === 'of_version') {
      const spaceId = await findSpaceOfVersion(database.db, givenId('ver', textIn(params, 'id') ?? ''));
      // There is no such version: the call itself says so.
      if (spaceId === undefined || spaceId === only.id) return;
      throw otherSpace(only);
    }
    if (slugIn(operation, params, body) !== only.slug) throw otherSpace(only);
  }
}

function slugIn({ space }: Operation, params: unknown, body: unknown): string | undefined {
  if (space === 'in_body') return textIn(body, 'space') ?? textIn(body, 'slug');
  return textIn(params, 'slug');
}

function textIn(value: unknown, name: string): string | undefined {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : undefined;
}

function otherSpace({ slug }: TokenSpace): ServiceError {
  return new ServiceError('forbidden', `The token is for the space «${slug}» alone.`, { space: slug });
}
