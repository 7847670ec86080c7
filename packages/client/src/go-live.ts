import type { Client } from './client.ts';
import { type PublishOptions, type PublishResult, publish } from './publish.ts';

/**
 * Publishes the files of an existing version, for example a preview, for production. The service has the
 * files, so nothing is uploaded. It makes a new version, because a finished version never changes.
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
