import { PageRefusal } from '../ui/describe-error.ts';
import { client } from './client.ts';

/**
 * Checks that the account of this page is still the one that is signed in, before what cannot be taken back: another
 * tab may have signed out, or in to another account, and the service does what it is asked for whoever is signed in.
 * @param handle its handle, null if it has none, undefined if the page may not know it
 * @throws `unauthorized` where nobody is signed in, and PageRefusal for another account
 */
export async function requireAccount(handle: string | null | undefined, signal?: AbortSignal): Promise<void> {
  const { creator } = await client.readMe(undefined, { signal });
  if (handle === undefined || creator.handle === handle) return;
  const other = handle === null ? 'Another account' : `Another account than @${handle}`;
  throw new PageRefusal(
    `${other} is signed in by now, in another tab. Load this page again to go on as that one.`,
  );
}
