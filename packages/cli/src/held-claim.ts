import { ApiError } from '@spaceport/client/api-error';
import { readClaim, type StoredClaim } from './claim-file.ts';
import { type Context, connect } from './context.ts';
import { formatMinute } from './format.ts';

export interface HeldClaim {
  readonly claim: StoredClaim;
  /** Whether an account has claimed the page. The service does not say which account. */
  readonly spent: boolean;
}

/**
 * Returns the page that this folder published without an account, if it still exists. Only the service knows,
 * so it is asked before anything is read or sent.
 * @param instead what happens if the page is gone, for the message to the user
 */
export async function heldClaim(
  { output, signal }: Context,
  root: string,
  server: string,
  instead: string,
): Promise<HeldClaim | undefined> {
  const claim = readClaim(root, server);
  if (claim === undefined) return undefined;
  try {
    const page = await connect(server).withClaim(claim.claimToken).readClaim({}, { signal });
    return { claim: { ...claim, ...page }, spent: false };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'claim_spent') return { claim, spent: true };
    if (error.code === 'claim_expired') {
      output.warn(
        `The page ${claim.pageUrl} has ended: nobody claimed it by ${formatMinute(claim.expiresAt)}. ${instead}`,
      );
    } else if (error.code === 'claim_not_found') {
      output.warn(`${server} does not know the page ${claim.pageUrl} any more. ${instead}`);
    } else throw error;
    return undefined;
  }
}
