import { minPasswordLength } from '@spaceport/contract/sign-in';
import { z } from 'zod';
import { ServiceError } from '../platform/errors.ts';

const maxEmailLength = 254;
const emailAddress = z.email().max(maxEmailLength);

const maxPasswordLength = 128;

/**
 * Returns an e-mail address as it is stored.
 * @throws `invalid`
 */
export function parseEmail(typed: string): string {
  const email = typed.trim().toLowerCase();
  if (!emailAddress.safeParse(email).success) throw invalidField('email', 'is not an e-mail address');
  return email;
}

/** @throws `invalid` for a password that is too short or too long */
export function checkPassword(password: string, { minLength = minPasswordLength } = {}): void {
  if ([...password].length < minLength)
    throw invalidField('password', `must be at least ${minLength} characters`);
  if (password.length > maxPasswordLength) {
    throw invalidField('password', `must be at most ${maxPasswordLength} characters`);
  }
}

export function invalidField(path: string, message: string): ServiceError {
  return new ServiceError('invalid', `The ${path} ${message}.`, { issues: [{ path, message }] });
}
