import { type Context, signedIn } from '../context.ts';
import { resolveVersion, spaceOf } from '../versions.ts';

/** Makes a new 24-hour preview link of a version. */
export async function preview(context: Context, name: string, options: { space?: string }): Promise<void> {
  const { signal, cwd } = context;
  const client = signedIn(context);
  const id = await resolveVersion(client, name, () => spaceOf(cwd, options.space), signal);
  const answer = await client.newPreview({ params: { id } }, { signal });
  const { previewUrl, previewPageUrl, expiresAt } = answer;
  context.output.result(
    { id, ...answer },
    `${previewUrl}\n  with boards and saves: ${previewPageUrl}\n  valid until ${expiresAt}`,
  );
}
