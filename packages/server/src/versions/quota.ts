import type { AccountId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { findLargestSpaces } from './quota.queries.ts';
import { countStoredBytes, readStoredBytes, recountStoredBytes } from './stored-bytes.queries.ts';

export interface Quota {
  readonly creatorId: AccountId;
  /** The limit for the distinct files of the account's versions (ACCOUNT_MAX_BYTES). */
  readonly maxBytes: number;
}

const namedSpaces = 5;

/**
 * Refuses a publish early. The limit is kept where files are stored (`storeBlobs`): several versions may be
 * created while there is room for each of them.
 * @throws `too_large`, naming the largest spaces of the account, if `newBytes` more exceed its limit
 */
export async function requireRoom(db: Db, quota: Quota, newBytes: number): Promise<void> {
  const { creatorId } = quota;
  if (fits(quota, newBytes, await readStoredBytes(db, creatorId))) return;
  // The sum may be too large after an upgrade, so nobody is refused because of it alone.
  const usedBytes = await countStoredBytes(db, creatorId);
  if (!fits(quota, newBytes, usedBytes)) throw await noRoom(db, quota, newBytes, usedBytes);
}

/**
 * Does the same for a publish that goes on to store the files: a sum that is too large is corrected, because files
 * are refused by it.
 * @throws `too_large`
 */
export async function makeSureOfRoom(tx: Tx, quota: Quota, newBytes: number): Promise<void> {
  const { creatorId } = quota;
  if (fits(quota, newBytes, await readStoredBytes(tx.db, creatorId))) return;
  const usedBytes = await recountStoredBytes(tx, creatorId);
  if (!fits(quota, newBytes, usedBytes)) throw await noRoom(tx.db, quota, newBytes, usedBytes);
}

/**
 * Refuses files that have just been given to the account, in the same transaction.
 * @param allBytes the sum with them
 * @throws `too_large`
 */
export async function requireGiven(
  tx: Tx,
  quota: Quota,
  givenBytes: number,
  allBytes: number,
): Promise<void> {
  if (fits(quota, givenBytes, allBytes - givenBytes)) return;
  const usedBytes = (await recountStoredBytes(tx, quota.creatorId)) - givenBytes;
  if (!fits(quota, givenBytes, usedBytes)) throw await noRoom(tx.db, quota, givenBytes, usedBytes);
}

/** An account whose limit has been lowered may still publish what it has. */
function fits({ maxBytes }: Quota, newBytes: number, usedBytes: number): boolean {
  return newBytes === 0 || usedBytes + newBytes <= maxBytes;
}

/** Returns the refusal of `newBytes` more. */
export async function noRoom(
  db: Db,
  { creatorId, maxBytes }: Quota,
  newBytes: number,
  usedBytes: number,
): Promise<ServiceError> {
  const spaces = await findLargestSpaces(db, creatorId, namedSpaces);
  const largest = spaces.map(({ slug, bytes }) => `«${slug}» ${bytes}`).join(', ');
  return new ServiceError(
    'too_large',
    `The account may keep ${maxBytes} bytes and has ${usedBytes}; this would add ${newBytes}.${largest === '' ? '' : ` Its largest spaces, by the bytes of their versions: ${largest}.`}`,
    {
      maxBytes,
      usedBytes,
      newBytes,
      spaces,
      next: (app) =>
        `Delete versions (DELETE ${app}/api/v1/hosting/versions/{id}) or spaces that are not needed any more. Files that only they have count for a day or two after that.`,
    },
  );
}
