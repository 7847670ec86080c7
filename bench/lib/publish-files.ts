import { createHash } from 'node:crypto';
import { createClient } from '@spaceport/client/client';
import { type PublishResult, publish } from '@spaceport/client/publish';

/** Publishes files as a new space, or as the next version of one. @returns the service's answer */
export async function publishFiles(
  baseUrl: string,
  token: string,
  files: Record<string, Uint8Array<ArrayBuffer>>,
  {
    live,
    sdk = true,
    space,
    onFinishing = () => {},
  }: { live: boolean; sdk?: boolean; space?: string; onFinishing?: () => void },
): Promise<PublishResult> {
  return publish(createClient({ baseUrl, token }), {
    source: {
      files: Object.entries(files).map(([path, bytes]) => ({
        path,
        size: bytes.byteLength,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        open: async () => bytes,
      })),
    },
    details:
      space === undefined
        ? { fields: { title: 'Bench', space_type: 'game', devices: ['desktop'] }, sdk }
        : { space, sdk },
    live,
    onProgress: ({ phase }) => {
      if (phase === 'finishing') onFinishing();
    },
  });
}

/**
 * Publishes files and waits until they are live; `sdk` false leaves the player module out. @returns the
 * address of the space
 */
export async function publishLive(
  baseUrl: string,
  token: string,
  files: Record<string, Uint8Array<ArrayBuffer>>,
  { sdk = true }: { sdk?: boolean } = {},
): Promise<string> {
  const { outcome, reason, space } = await publishFiles(baseUrl, token, files, { live: true, sdk });
  if (outcome !== 'live') throw new Error(`the space is ${outcome}: ${reason}`);
  return space.url;
}
