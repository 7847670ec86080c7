import { ApiError } from '@spaceport/client/api-error';
import { readClaim, type StoredClaim } from './claim-file.ts';
import { type Context, connect } from './context.ts';
import { formatMinute } from './format.ts';

export interface HeldClaim {
  readonly claim: StoredClaim;
  /** Whether an account has claimed the page. The service does not say which account. */
  readonly spent: boolean;
}

interface Wanted {
  /** The folder with `.spaceport`. */
  readonly root: string;
  readonly server: string;
  /** A claim token that stands in place of the stored one. */
  readonly given: string | undefined;
  /** What happens if the page is gone, for the message to the user. */
  readonly instead: string;
}

/**
 * Returns the page that this folder published without an account, if it still exists, or the page of a given claim
 * token. Only the service knows, so it is asked before anything is read or sent.
 * @throws ApiError of a given token whose page is gone: no other page is meant
 */
export async function heldClaim(
  { output, signal }: Pick<Context, 'output' | 'signal'>,
  { root, server, given, instead }: Wanted,
): Promise<HeldClaim | undefined> {
  const stored = readClaim(root, server);
  const isOther = given !== undefined && given !== stored?.claimToken;
  const claim = isOther ? unknownPage(server, given) : stored;
  if (claim === undefined) return undefined;
  try {
    const page = await connect({ output }, server).withClaim(claim.claimToken).readClaim({}, { signal });
    return { claim: { ...claim, ...page }, spent: false };
  } catch (error) {
    if (!(error instanceof ApiError) || isOther) throw error;
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

/** A page of which the claim token alone is known. The service tells the rest, and a create the slug. */
function unknownPage(server: string, claimToken: string): StoredClaim {
  return { server, claimToken, slug: '', pageUrl: '', expiresAt: '', versions: [] };
}
