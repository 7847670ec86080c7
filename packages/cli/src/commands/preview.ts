import { withList, withNext } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { commandLineOfSpace } from '../origin.ts';
import { ownVersion } from '../versions.ts';

/** Makes a new 24-hour preview link of a version. */
export async function preview(context: Context, name: string, options: { space?: string }): Promise<void> {
  const { signal } = context;
  const { client, id } = await ownVersion(context, name, options);
  const answer = await withNext(withList(client.newPreview({ params: { id } }, { signal }), 'versions'), {
    not_previewable: `See what to change: ${commandLineOfSpace(`status ${name}`)}`,
  });
  const { previewUrl, previewPageUrl, expiresAt } = answer;
  context.output.result(
    { id, ...answer },
    `${previewUrl}\n  with boards and saves: ${previewPageUrl}\n  valid until ${expiresAt}`,
  );
}
