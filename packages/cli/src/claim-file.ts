import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeStateFile } from '@spaceport/client/node/state-folder';
import { z } from 'zod';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

const fileName = 'claim.json';

const storedClaimSchema = z.object({
  server: z.string(),
  slug: z.string(),
  pageUrl: z.string(),
  /** ISO 8601. */
  expiresAt: z.string(),
  claimToken: z.string(),
  /** Oldest first. The service lists versions only to an account. */
  versions: z.array(z.object({ id: z.string(), number: z.number() })).default([]),
});
const fileSchema = z.object({ pages: z.array(storedClaimSchema) });

/**
 * A page that was published from this folder without an account, with the token that is the only proof of
 * owning it.
 */
export type StoredClaim = z.output<typeof storedClaimSchema>;

/** Returns the path of the claim file, which error messages name. */
export function claimFile(root: string): string {
  return join(root, '.spaceport', fileName);
}

/**
 * Returns the page that this folder has at a service. A folder may have one at each service, so that a try on
 * one's own machine does not lose the page at another service.
 * @throws CliError if the file exists and has other content, which the next write would destroy
 */
export function readClaim(root: string, server: string): StoredClaim | undefined {
  return readAll(root).find((claim) => claim.server === server);
}

/** Returns whether this folder has a page without an account at any service. */
export function hasPage(root: string): boolean {
  return readAll(root).length > 0;
}

/**
 * Replaces an older page at the same service. Only the user may read the file, because the token gives the
 * page away.
 */
export function writeClaim(root: string, claim: StoredClaim): void {
  writeAll(root, [...others(root, claim.server), claim]);
}

export function forgetClaim(root: string, server: string): void {
  const rest = others(root, server);
  if (rest.length > 0) writeAll(root, rest);
  else rmSync(claimFile(root), { force: true });
}

/**
 * Returns the address for claiming a page. The token is in the fragment, which browsers never send and no log
 * has.
 */
export function claimUrl({ server, claimToken }: StoredClaim): string {
  return `${server}/claim#${claimToken}`;
}

function others(root: string, server: string): StoredClaim[] {
  return readAll(root).filter((claim) => claim.server !== server);
}

function writeAll(root: string, pages: readonly StoredClaim[]): void {
  writeStateFile(root, fileName, `${JSON.stringify({ pages }, null, 2)}\n`, 0o600);
}

function readAll(root: string): StoredClaim[] {
  const path = claimFile(root);
  if (!existsSync(path)) return [];
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).pages;
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.message : 'it is not as it was written';
    throw new CliError(exitCodes.invalid, 'bad_claim', `${path} cannot be read: ${reason}.`, {
      next: 'Correct it, or delete it to publish as a new page.',
    });
  }
}
