import { oneOf } from '../platform/db/dialect.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { normaliseUrl } from './web-address.ts';

/** Is the address, its host (with or without its port) or a domain above it blocked by an operator? */
export async function isBlocked(db: Db, address: string): Promise<boolean> {
  const normal = normaliseUrl(address);
  const { host, hostname } = new URL(normal);
  const labels = hostname.split('.');
  const domains = labels.map((_, index) => labels.slice(index).join('.'));
  const row = await db
    .selectFrom('blocked_addresses')
    .select('address')
    .where('address', 'in', oneOf(db, [normal, host, ...domains]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** False where it was blocked already. `address` is as `readBlockable` spells it. */
export async function blockAddress(tx: Tx, address: string, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('blocked_addresses')
    .values({ address, blocked_at: now })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** False where it was not blocked. */
export async function unblockAddress(tx: Tx, address: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('blocked_addresses')
    .where('address', '=', address)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const maxLength = 2_000;

/**
 * A host (`example.com`, which covers its subdomains and every port), a host with a port, or a whole URL, in the one
 * spelling that it is compared by. Throws `invalid` for anything else.
 */
export function readBlockable(text: string): string {
  const isUrl = /^https?:\/\//iu.test(text);
  const url = URL.parse(isUrl ? text : `http://${text}`);
  const normal = url && normaliseUrl(url.href);
  const address = normal && (isUrl ? normal : new URL(normal).host);
  const isHost =
    isUrl || (url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === '');
  if (!address || !isHost || address.length > maxLength) {
    const message = 'must be a host, a host with a port, or an address';
    throw new ServiceError('invalid', `«${text.slice(0, 200)}» ${message}.`, {
      issues: [{ path: 'host', message }],
    });
  }
  return address;
}
