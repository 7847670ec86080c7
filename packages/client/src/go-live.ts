import type { Client } from './client.ts';
import { type PublishOptions, type PublishResult, publish } from './publish.ts';

/**
 * Publishes what a version holds for production: the very files of a preview, without having them here. The service
 * has them, so nothing is uploaded; it makes a new version, as a finished one stays what it is.
 * @throws ApiError, ConnectionError, or the signal's reason
 */
export async function goLive(
  client: Client,
  { versionId, space }: { versionId: string; space: string },
  options: Pick<PublishOptions, 'onProgress' | 'onCreated' | 'signal' | 'wait'> = {},
): Promise<PublishResult> {
  const { signal } = options;
  const version = await client.readVersionFiles({ params: { id: versionId } }, { signal });
  const { files, fields, declarations } = version;
  const open = async (): Promise<never> => {
    throw new Error('The service asks for a file of a version that it has.');
  };
  return publish(client, {
    ...options,
    live: true,
    details: { space, fields, ...declarations },
    source: { files: files.map((file) => ({ ...file, open })) },
  });
}
