import { type Context, signedIn } from '../context.ts';
import { commandLine } from '../origin.ts';
import { resolveVersion, spaceOf } from '../versions.ts';

/** Asks a person at the service to look at a refused or unjudged version. */
export async function review(context: Context, name: string, options: { space?: string }): Promise<void> {
  const { signal, cwd } = context;
  const client = signedIn(context);
  const id = await resolveVersion(client, name, () => spaceOf(cwd, options.space), signal);
  const answer = await client.requestReview({ params: { id } }, { signal });
  context.output.result(
    { id, ...answer },
    `A person will look at it. See what they say with: ${commandLine(`status ${name}`)}`,
  );
}
