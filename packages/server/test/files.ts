import { createHash } from 'node:crypto';
import { type PublishOptions, type PublishResult, publish } from '@spaceport/client/publish';
import type { SourceFile } from '@spaceport/client/source';
import type { Persona, TestService } from './service.ts';

export type Files = Record<string, string | Uint8Array>;

export const listing = { title: 'Moon Hopper', space_type: 'game', devices: ['desktop'] } as const;
export const page =
  '<!doctype html><title>Moon Hopper</title><canvas></canvas><script src="game.js"></script>';
/** A minimal game: a page and its script. */
export const smallGame: Files = { 'index.html': page, 'game.js': 'document.title += "!";' };

export function sourceFiles(files: Files): SourceFile[] {
  return Object.entries(files).map(([path, content]) => {
    const bytes = new Uint8Array(Buffer.from(content as string));
    return { path, size: bytes.length, sha256: sha256(bytes), open: async () => bytes };
  });
}

/** Returns the `files` of a create body. */
export function fileEntries(files: Files) {
  return sourceFiles(files).map(({ path, size, sha256: hash }) => ({ path, size, sha256: hash }));
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Publishes as the CLI does, without waiting for the verdict; the test settles the queue. */
export async function publishFiles(
  creator: Pick<Persona, 'client'>,
  files: Files,
  details: Partial<PublishOptions['details']> = {},
  options: Partial<PublishOptions> = {},
): Promise<PublishResult> {
  return publish(creator.client, {
    source: { files: sourceFiles(files) },
    details:
      details.space === undefined
        ? { fields: { ...listing, devices: [...listing.devices] }, ...details }
        : details,
    wait: false,
    ...options,
  });
}

/** Publishes for production, and runs the safety check. */
export async function publishLive(
  service: TestService,
  creator: Persona,
  files: Files = smallGame,
  details: Partial<PublishOptions['details']> = {},
): Promise<PublishResult> {
  const published = await publishFiles(creator, files, details, { live: true });
  await service.settle();
  return published;
}

/** PUTs bytes to an upload link. */
export async function putFile(
  service: TestService,
  url: string,
  content: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  return service.get(url, {
    method: 'PUT',
    body: content,
    headers: { 'content-length': String(Buffer.byteLength(content)), ...headers },
  });
}
