import type { AccountId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { findLargestSpaces } from './quota.queries.ts';
import { countStoredBytes, readStoredBytes } from './stored-bytes.queries.ts';

export interface Quota {
  readonly creatorId: AccountId;
  /** The limit for the distinct files of the account's versions (ACCOUNT_MAX_BYTES). */
  readonly maxBytes: number;
}

const namedSpaces = 5;

/** @throws `too_large`, naming the largest spaces of the account, if `newBytes` more exceed its limit */
export async function requireRoom(db: Db, { creatorId, maxBytes }: Quota, newBytes: number): Promise<void> {
  if ((await readStoredBytes(db, creatorId)) + newBytes <= maxBytes) return;
  // The sum may be too large after an upgrade, so nobody is refused because of it alone.
  const usedBytes = await countStoredBytes(db, creatorId);
  if (usedBytes + newBytes <= maxBytes) return;
  const spaces = await findLargestSpaces(db, creatorId, namedSpaces);
  const largest = spaces.map(({ slug, bytes }) => `«${slug}» ${bytes}`).join(', ');
  throw new ServiceError(
    'too_large',
    `The account may keep ${maxBytes} bytes and has ${usedBytes}; this would add ${newBytes}.${largest === '' ? '' : ` Its largest spaces, by the bytes of their versions: ${largest}.`}`,
    { maxBytes, usedBytes, newBytes, spaces },
  );
}
