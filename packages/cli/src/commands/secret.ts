import { confirm } from '../confirm.ts';
import { type Context, signedIn } from '../context.ts';
import { formatMinute } from '../format.ts';
import { commandLineOfSpace } from '../origin.ts';
import { spaceOf } from '../versions.ts';

/** Issues the secret for the space's own server. Stdout has only the secret, so that a script can read it. */
export async function issueSecret(
  context: Context,
  options: { space?: string; yes?: boolean },
): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const client = signedIn(context);
  const { secret: before } = await client.readSecret({ params: { slug } }, { signal: context.signal });
  if (before !== null) {
    const since = formatMinute(before.rotated_at ?? before.created_at);
    await confirm(context, `${slug} has a secret since ${since}, which stops working at once.`, options);
  }
  const answer = await client.issueSecret({ params: { slug } }, { signal: context.signal });
  if (!context.output.json) context.output.note(answer.message);
  context.output.result({ space: slug, ...answer }, answer.secret);
}

export async function secretStatus(context: Context, options: { space?: string }): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const { secret } = await signedIn(context).readSecret({ params: { slug } }, { signal: context.signal });
  const replaced = secret?.rotated_at ? `, replaced ${formatMinute(secret.rotated_at)}` : '';
  context.output.result(
    { space: slug, secret },
    secret === null
      ? `${slug} has no secret yet. Issue one: ${commandLineOfSpace('secret issue')}`
      : `The secret of ${slug} was first issued ${formatMinute(secret.created_at)}${replaced}.`,
  );
}
