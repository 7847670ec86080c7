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
});
const fileSchema = z.object({ pages: z.array(storedClaimSchema) });

/** A page that was published from this folder without an account, and the token that is all there is to own it by. */
export type StoredClaim = z.output<typeof storedClaimSchema>;

/** For the error messages, and for people who look for it. */
export function claimFile(root: string): string {
  return join(root, '.spaceport', fileName);
}

/**
 * The page that this folder has at a service. A folder has one at each: a try at one's own machine must not cost the
 * page at another service.
 * @throws CliError when the file is there and holds something else: the next write would lose what it was
 */
export function readClaim(root: string, server: string): StoredClaim | undefined {
  return readAll(root).find((claim) => claim.server === server);
}

/** In place of an older page at the same service. Only the user may read it: whoever has the token has the page. */
export function writeClaim(root: string, claim: StoredClaim): void {
  writeAll(root, [...others(root, claim.server), claim]);
}

export function forgetClaim(root: string, server: string): void {
  const rest = others(root, server);
  if (rest.length > 0) writeAll(root, rest);
  else rmSync(claimFile(root), { force: true });
}

/** The token is in the fragment, which browsers send nowhere and no log holds. */
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
      next: 'Mend it, or delete it to publish as a new page.',
    });
  }
}
