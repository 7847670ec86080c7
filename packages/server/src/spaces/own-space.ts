import type { AccountId } from '../platform/db/ids.ts';
import { type ErrorDetails, ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';

/**
 * Returns the space if it belongs to the caller. Operators have no special right here. A space that does not
 * exist and a space of somebody else give the same error, `not_found`; only hosting distinguishes them, with
 * `not_owner` (docs/api-design.md, "Ownership").
 */
export function requireOwn<Space extends { readonly owner_id: AccountId | null }>(
  space: Space | undefined,
  slug: string,
  caller: Pick<CreatorCaller, 'creatorId'>,
  onOthers: 'not_found' | 'not_owner' = 'not_found',
): Space {
  if (space?.owner_id === caller.creatorId) return space;
  if (space && onOthers === 'not_owner')
    throw new ServiceError('not_owner', `The space «${slug}» is not yours.`);
  throw noSuchSpace(slug);
}

/** Returns the error for a slug that leads to no space, or to none that the caller may see. */
export function noSpace(slug: string, help: Pick<ErrorDetails, 'next'> = {}): ServiceError {
  return new ServiceError('not_found', `There is no space «${slug}».`, help);
}

/** Returns the error for a slug that is not one of the caller's. */
export function noSuchSpace(slug: string): ServiceError {
  return new ServiceError('not_found', `There is no space «${slug}» on this account.`, {
    next: (app) => `GET ${app}/api/spaces lists your spaces.`,
  });
}
