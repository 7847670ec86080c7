import { minPasswordLength } from '@spaceport/contract/sign-in';
import { z } from 'zod';
import { ServiceError } from '../platform/errors.ts';

const maxEmailLength = 254;
// What better-auth asks of an address at every sign-in: one that it does not take would be an account nobody can use.
const emailAddress = z.email().max(maxEmailLength);

export const maxPasswordLength = 128;

/** An e-mail address as it is kept. Throws `invalid`. */
export function parseEmail(typed: string): string {
  const email = typed.trim().toLowerCase();
  if (!emailAddress.safeParse(email).success) throw invalidField('email', 'is not an e-mail address');
  return email;
}

/** Throws `invalid` for a password that is too short to hold, or too long to hash. */
export function checkPassword(password: string, { minLength = minPasswordLength } = {}): void {
  if ([...password].length < minLength)
    throw invalidField('password', `must be at least ${minLength} characters`);
  if (password.length > maxPasswordLength) {
    throw invalidField('password', `must be at most ${maxPasswordLength} characters`);
  }
}

/** What signing in keeps of a password: scrypt. Loaded at first use, as everything of better-auth is. */
export async function hashPassword(password: string): Promise<string> {
  const crypto = await import('better-auth/crypto');
  return crypto.hashPassword(password);
}

/** Is it the password that was hashed? */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  if (hash === null) return false;
  const crypto = await import('better-auth/crypto');
  return crypto.verifyPassword({ hash, password });
}

export function invalidField(path: string, message: string): ServiceError {
  return new ServiceError('invalid', `The ${path} ${message}.`, { issues: [{ path, message }] });
}
