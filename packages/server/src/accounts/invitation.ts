import { isSameText } from '../platform/secrets/same-text.ts';
import { invalidField } from './credentials.ts';

/**
 * @param wanted the setting SIGN_UP_CODE; null if anybody may sign up
 * @throws `invalid` for another code
 */
export function requireInvitation(wanted: string | null, given = ''): void {
  if (wanted !== null && !isSameText(given.trim(), wanted))
    throw invalidField('code', 'is not the invitation code of this service');
}
