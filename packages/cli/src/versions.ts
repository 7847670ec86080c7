import type { Client } from '@spaceport/client/client';
import type { VersionListEntry } from '@spaceport/contract/versions';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { commandLine } from './origin.ts';
import { openProject } from './project.ts';

/** Returns the slug of a command's space: from the flag, else from the service.json of the current folder. */
export function spaceOf(cwd: string, flag: string | undefined): string {
  const space = flag ?? openProject(cwd, '.').settings.space;
  if (space !== undefined) return space;
  throw new CliError(exitCodes.usage, 'no_space', 'Which space is meant is not clear.', {
    next: 'Run it in a folder whose service.json has "space", or give --space SLUG.',
  });
}

export function parseNumber(text: string): number | null {
  const match = /^v?(\d{1,9})$/u.exec(text);
  return match ? Number(match[1]) : null;
}

export async function listOf(client: Client, slug: string, signal: AbortSignal): Promise<VersionListEntry[]> {
  return (await client.listVersions({ params: { slug } }, { signal })).versions;
}

/** Returns the id of a version named by its number (`3`, `v3`) or id; without a name, of the newest. */
export async function resolveVersion(
  client: Client,
  name: string | undefined,
  space: () => string,
  signal: AbortSignal,
): Promise<string> {
  const number = name === undefined ? undefined : parseNumber(name);
  if (name !== undefined && number === null) return name;
  const slug = space();
  const versions = await listOf(client, slug, signal);
  const found = number === undefined ? versions[0] : versions.find((version) => version.number === number);
  if (found !== undefined) return found.id;
  throw new CliError(
    exitCodes.invalid,
    'not_found',
    number === undefined
      ? `${slug} has no versions yet.`
      : `${slug} has no version ${number} among its last 100.`,
    {
      next:
        number === undefined
          ? `Publish one: ${commandLine('publish')}`
          : `See them: ${commandLine('versions')}`,
    },
  );
}
