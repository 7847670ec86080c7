import { ApiError } from '@spaceport/client/api-error';
import { forgetGuestKey, guestKey } from './guest-key.ts';
import { stageClient } from './play.ts';

/**
 * Gives what was kept under this browser's guest key to the account that is signed in, once; then `become` goes on as the
 * account. Until both are done the key stays, and the next load tries again. Returns whether `become` was called.
 */
export async function takeOver(become: () => Promise<void>): Promise<boolean> {
  const key = guestKey();
  if (key === null) return false;
  try {
    await stageClient.adoptGuest({ body: { guest_key: key } });
  } catch (error) {
    // Another account has it by now: it is of no more use here.
    if (error instanceof ApiError && error.code === 'conflict') forgetGuestKey(key);
    return false;
  }
  await become();
  forgetGuestKey(key);
  return true;
}
