import type { Context } from '../context.ts';
import { ownVersion } from '../versions.ts';

/** Makes a new 24-hour preview link of a version. */
export async function preview(context: Context, name: string, options: { space?: string }): Promise<void> {
  const { signal } = context;
  const { client, id } = await ownVersion(context, name, options);
  const answer = await client.newPreview({ params: { id } }, { signal });
  const { previewUrl, previewPageUrl, expiresAt } = answer;
  context.output.result(
    { id, ...answer },
    `${previewUrl}\n  with boards and saves: ${previewPageUrl}\n  valid until ${expiresAt}`,
  );
}
