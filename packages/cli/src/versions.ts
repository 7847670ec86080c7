import type { Client } from '@spaceport/client/client';
import type { VersionListEntry } from '@spaceport/contract/versions';
import { hasPage, readClaim } from './claim-file.ts';
import { CliError } from './cli-error.ts';
import { type Context, connect, isSignedIn, serverOf, signedIn } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { commandLine, commandLineOfSpace } from './origin.ts';
import { openProject } from './project.ts';

/** Returns the slug of a command's space: from the flag, else from the service.json of the current folder. */
export function spaceOf(cwd: string, flag: string | undefined): string {
  if (flag !== undefined) return flag;
  const { settings, root } = openProject(cwd, '.');
  if (settings.space !== undefined) return settings.space;
  if (hasPage(root)) {
    throw new CliError(exitCodes.usage, 'no_space', "This folder's page has no account.", {
      next: `Claim the page, or sign in (${commandLine('login')}) and publish: it is a space of your account then. Without an account, only this works: ${commandLine('status')}`,
    });
  }
  throw new CliError(exitCodes.usage, 'no_space', 'Which space is meant is not clear.', {
    next: 'Run it in a folder whose service.json has "space", or give --space SLUG.',
  });
}

/**
 * Returns the number of a version, written as `3` or `v3`.
 * @throws CliError if it is none
 */
export function requireNumber(text: string): number {
  const number = parseNumber(text);
  if (number !== null && number > 0) return number;
  throw new CliError(exitCodes.usage, 'usage', `${text} is not the number of a version.`, {
    next: `See the numbers: ${commandLineOfSpace('versions')}`,
  });
}

function parseNumber(text: string): number | null {
  const match = /^v?(\d{1,9})$/u.exec(text);
  return match ? Number(match[1]) : null;
}

export async function listOf(client: Client, slug: string, signal: AbortSignal): Promise<VersionListEntry[]> {
  return (await client.listVersions({ params: { slug } }, { signal })).versions;
}

/** A version, and a client with a credential for it. */
export interface FoundVersion {
  readonly client: Client;
  readonly id: string;
}

/**
 * Returns a version of the user's own space, named by its number (`3`, `v3`) or id; without a name, the
 * newest.
 */
export async function ownVersion(
  context: Context,
  name: string | undefined,
  { space }: { space?: string },
): Promise<FoundVersion> {
  const number = name === undefined ? undefined : parseNumber(name);
  if (name !== undefined && number === null) return { client: signedIn(context), id: name };
  const slug = spaceOf(context.cwd, space);
  const client = signedIn(context);
  const { id } = versionIn(slug, await listOf(client, slug, context.signal), name);
  return { client, id };
}

/**
 * Returns a version in a space's list, named by its number or id; without a name, the newest.
 * @throws CliError if it is not in the list
 */
export function versionIn(
  slug: string,
  versions: readonly VersionListEntry[],
  name: string | undefined,
): VersionListEntry {
  const number = name === undefined ? undefined : parseNumber(name);
  const found =
    name === undefined
      ? versions[0]
      : versions.find((version) => (number === null ? version.id === name : version.number === number));
  if (found !== undefined) return found;
  throw new CliError(
    exitCodes.invalid,
    'not_found',
    name === undefined
      ? `${slug} has no versions yet.`
      : `${slug} has no version ${number ?? name} among its last 100.`,
    {
      next:
        name === undefined
          ? `Publish one: ${commandLineOfSpace('publish')}`
          : `See them: ${commandLineOfSpace('versions')}`,
    },
  );
}

/**
 * Returns a version of the page that the current folder has published without an account; undefined if a
 * version of an account is meant. Whoever is not signed in can mean only the page.
 * @throws CliError if this folder has not published such a version of the page
 */
export function unclaimedVersion(
  context: Context,
  name: string | undefined,
  { space }: { space?: string },
): FoundVersion | undefined {
  if (space !== undefined) return undefined;
  const { settings, root } = openProject(context.cwd, '.');
  const server = serverOf(context);
  const page = readClaim(root, server);
  if (page === undefined) return undefined;
  const client = connect(context, server).withClaim(page.claimToken);
  const number = name === undefined ? undefined : parseNumber(name);
  if (name !== undefined && number === null) {
    const isOfPage = page.versions.some(({ id }) => id === name);
    return isOfPage || !isSignedIn(context) ? { client, id: name } : undefined;
  }
  if (settings.space !== undefined && isSignedIn(context)) return undefined;
  const found =
    number === undefined ? page.versions.at(-1) : page.versions.find((version) => version.number === number);
  if (found !== undefined) return { client, id: found.id };
  throw new CliError(
    exitCodes.invalid,
    'not_found',
    `This folder has published no ${number === undefined ? 'version' : `version ${number}`} of ${page.pageUrl}.`,
    { next: `Publish one: ${commandLine('publish --anonymous')}` },
  );
}
