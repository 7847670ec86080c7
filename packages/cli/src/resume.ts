import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeStateFile } from '@spaceport/client/node/state-folder';
import type { CreatedVersion, VersionDetails } from '@spaceport/client/publish';
import type { PublishSource } from '@spaceport/client/source';
import { z } from 'zod';

const fileName = 'resume.json';
const resumeSchema = z.object({
  fingerprint: z.string(),
  version: z.object({ id: z.string(), number: z.number() }),
  space: z.object({ slug: z.string(), url: z.string() }),
});

/**
 * What makes two publishes the same one: service, files, fields, declarations and target. The space is compared
 * apart, as the first publish of a new space learns its slug on the way.
 */
export function fingerprintOf(
  server: string,
  live: boolean,
  { space: _space, ...details }: VersionDetails,
  source: PublishSource,
): string {
  const files = source.files.map(({ path, size, sha256 }) => [path, size, sha256]);
  return createHash('sha256')
    .update(JSON.stringify([server, live, details, files]))
    .digest('hex');
}

/** The version that an interrupted publish of the same content left, or undefined. */
export function readResume(root: string, fingerprint: string, space?: string): CreatedVersion | undefined {
  try {
    const stored = resumeSchema.parse(JSON.parse(readFileSync(join(root, '.spaceport', fileName), 'utf8')));
    const same = stored.fingerprint === fingerprint && stored.space.slug === space;
    return same ? { version: stored.version, space: stored.space } : undefined;
  } catch {
    // Not there, or not readable: there is nothing to go on with, and a new version is made.
    return undefined;
  }
}

/** A folder that cannot be written to can be published all the same, only not resumed. */
export function writeResume(root: string, fingerprint: string, { version, space }: CreatedVersion): void {
  try {
    writeStateFile(root, fileName, JSON.stringify({ fingerprint, version, space }));
  } catch {}
}

/** One that stays by mistake does no harm: the version it names is found to be finished. */
export function clearResume(root: string): void {
  try {
    rmSync(join(root, '.spaceport', fileName), { force: true });
  } catch {}
}
