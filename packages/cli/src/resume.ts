import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newCreateKey } from '@spaceport/client/create-key';
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
/** A create that was begun, and not answered yet. */
const begunSchema = z.object({
  fingerprint: z.string(),
  createKey: z.string(),
  /** The slug of the space; null for a new one. */
  to: z.string().nullable(),
});

/**
 * Returns a fingerprint that is equal for two publishes of the same service, files, fields, declarations and
 * target. The space is compared separately, because the first publish of a new space gets its slug only at
 * create.
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

/** Returns the version that an interrupted publish of the same content has left, or undefined. */
export function readResume(root: string, fingerprint: string, space?: string): CreatedVersion | undefined {
  try {
    const stored = resumeSchema.parse(read(root));
    const same = stored.fingerprint === fingerprint && stored.space.slug === space;
    return same ? { version: stored.version, space: stored.space } : undefined;
  } catch {
    // The file does not exist or is not readable: nothing can be resumed, and a new version is made.
    return undefined;
  }
}

/** Stores the version. If the folder cannot be written, the publish goes on, but cannot be resumed. */
export function writeResume(root: string, fingerprint: string, { version, space }: CreatedVersion): void {
  try {
    writeStateFile(root, fileName, JSON.stringify({ fingerprint, version, space }));
  } catch {}
}

/**
 * Returns the key of the create for a publish: that of an earlier publish of the same content that was not answered,
 * so that the service does not make a second space; else a new one, which is stored for the next publish. Storing the
 * version replaces it. The key of a refused create stays: that has made nothing, and the key may be used again.
 */
export function createKeyFor(root: string, fingerprint: string, space?: string): string {
  const to = space ?? null;
  try {
    const stored = begunSchema.parse(read(root));
    if (stored.fingerprint === fingerprint && stored.to === to) return stored.createKey;
  } catch {
    // Nothing was begun.
  }
  const createKey = newCreateKey();
  try {
    // Without an account the key opens the page, as its claim token does.
    writeStateFile(root, fileName, JSON.stringify({ fingerprint, createKey, to }), 0o600);
  } catch {
    // The publish goes on, and the next one has a key of its own.
  }
  return createKey;
}

function read(root: string): unknown {
  return JSON.parse(readFileSync(join(root, '.spaceport', fileName), 'utf8'));
}

/** Deletes the stored version. A leftover does no harm, because its version turns out to be finished. */
export function clearResume(root: string): void {
  try {
    rmSync(join(root, '.spaceport', fileName), { force: true });
  } catch {}
}
