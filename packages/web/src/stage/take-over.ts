import { ApiError } from '@spaceport/client/api-error';
import { adoptGuest } from '@spaceport/contract/adopting';
import { forgetGuestKey, guestKey } from './guest-key.ts';
import { stageClient } from './play.ts';

/**
 * Gives the records of this browser's guest to the signed-in account, once; then calls `become`. The key is
 * kept until both are done, so that the next load can try again. Returns whether `become` was called.
 */
export async function takeOver(become: () => Promise<void>): Promise<boolean> {
  const key = guestKey();
  if (key === null) return false;
  try {
    await stageClient.call(adoptGuest, { body: { guest_key: key } });
  } catch (error) {
    // Another account has taken the guest over, so the key is useless.
    if (error instanceof ApiError && error.code === 'conflict') forgetGuestKey(key);
    return false;
  }
  await become();
  forgetGuestKey(key);
  return true;
}
