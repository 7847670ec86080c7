import { createHash, randomBytes } from 'node:crypto';
import type { Platform } from '../../platform/context.ts';
import { isUniqueViolation } from '../../platform/db/failures.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { ServiceError } from '../../platform/errors.ts';
import { queueMail } from '../../platform/mail/outbox.ts';
import { setEmail } from '../accounts.queries.ts';
import { invalidField } from '../credentials.ts';
import {
  type AddressLink,
  dropAddressLinks,
  findAddressLink,
  insertAddressLink,
} from './address-links.queries.ts';
import { addressChangedMail, linkSeconds } from './messages.ts';
import { dropSecrets } from './one-time-secrets.queries.ts';

type AddressPlatform = Pick<Platform, 'database' | 'urls'>;

/** Stores a link and returns its token. Only a hash of the token is stored. */
export async function issueAddressLink(tx: Tx, link: AddressLink): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = tx.now + linkSeconds * 1000;
  await insertAddressLink(tx, { tokenHash: hashOf(token), link, now: tx.now, expiresAt });
  return token;
}

/**
 * Confirms the address of a link: only its owner reads the mail sent there. The account gets the address;
 * if it had another one, a mail tells that one. Confirming an address twice is allowed; changing the
 * address ends every other link, also those that reset the password.
 * @throws `invalid` for a link that is wrong, used or too old, and if another account has the address by now
 */
export async function followAddressLink(platform: AddressPlatform, token: string): Promise<void> {
  const { database, urls } = platform;
  const work = async (tx: Tx) => {
    const link = await findAddressLink(tx, hashOf(token));
    if (!link || !(await setEmail(tx, link))) throw wrongLink();
    if (link.from === link.to) return;
    await dropAddressLinks(tx, link.creatorId);
    // Whoever reads the mail of the old address must not reset the password any more.
    await dropSecrets(tx, link.creatorId);
    await queueMail(tx, addressChangedMail(link, urls.app));
  };
  try {
    await database.transaction(work);
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidField('email', 'has an account already');
    throw error;
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function wrongLink(): ServiceError {
  const message = 'is wrong or too old; ask for a new one in your settings';
  return new ServiceError('invalid', `The link ${message}.`, { issues: [{ path: 'token', message }] });
}
