import type { Viewer } from '@spaceport/contract/document-frame';
import { patientClient } from '../../data/client.ts';
import { PageRefusal } from '../../ui/describe-error.ts';

/**
 * Checks that the account that this page shows is still signed in. Signed out in another tab, a publish would be one
 * without an account; and signed in to another one, it would be that one's.
 * @throws `unauthorized` where nobody is signed in, and PageRefusal for another account
 */
export async function requireViewer({ handle }: Viewer, signal: AbortSignal): Promise<void> {
  const { creator } = await patientClient.readMe(undefined, { signal });
  // A handle that was chosen on this page is not in its document.
  if (handle === null || creator.handle === handle) return;
  throw new PageRefusal(
    `Another account than @${handle} is signed in by now, in another tab. Load this page again to publish as that one.`,
  );
}
