import { withList, withNext } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { commandLineOfSpace } from '../origin.ts';
import { ownVersion } from '../versions.ts';

/** Asks a person at the service to look at a refused or unjudged version. */
export async function review(context: Context, name: string, options: { space?: string }): Promise<void> {
  const { signal } = context;
  const { client, id } = await ownVersion(context, name, options);
  const answer = await withNext(withList(client.requestReview({ params: { id } }, { signal }), 'versions'), {
    not_refused: `See its status: ${commandLineOfSpace(`status ${name}`)}`,
  });
  context.output.result(
    { id, ...answer },
    `A person will look at it. See what they say with: ${commandLineOfSpace(`status ${name}`)}`,
  );
}
