import { ApiError } from '@spaceport/client/api-error';
import { forgetGuestKey, guestKey } from './guest-key.ts';
import { stageClient } from './play.ts';

/**
 * Gives what was kept under this browser's guest key to the account that is signed in, once. Where the service cannot be
 * reached the key stays, and the next load tries again.
 */
export async function takeOver(): Promise<void> {
  const key = guestKey();
  if (key === null) return;
  try {
    await stageClient.adoptGuest({ body: { guest_key: key } });
  } catch (error) {
    // Another account has it by now: it is of no more use here.
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) return;
  }
  forgetGuestKey(key);
}
