import { ServiceError } from '../platform/errors.ts';
import type { PlayCaller } from '../players/play-caller.ts';

export type AccountCaller = Extract<PlayCaller, { kind: 'account' }>;

/** Returns the account of a player; null for guests and unknown players. */
export function accountOf(who: PlayCaller): AccountCaller | null {
  return who.kind === 'account' ? who : null;
}

/** @throws `sign_in_required` for guests and unknown players: only accounts publish */
export function requireAccount(who: PlayCaller): AccountCaller {
  const account = accountOf(who);
  if (account) return account;
  throw new ServiceError(
    'sign_in_required',
    'Sign in: only players with an account can show something to others.',
  );
}
