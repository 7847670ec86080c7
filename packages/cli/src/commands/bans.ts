import { type Context, signedIn } from '../context.ts';
import { formatMinute, formatTable } from '../format.ts';
import { spaceOf } from '../versions.ts';

export async function listBans(context: Context, options: { space?: string }): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const { bans } = await signedIn(context).readBans({ params: { slug } }, { signal: context.signal });
  const rows = bans.map(({ handle, banned_at }) => [`@${handle}`, formatMinute(banned_at)]);
  context.output.result(
    { space: slug, bans },
    rows.length === 0
      ? `Nobody is banned from the boards of ${slug}.`
      : formatTable([['Player', 'Banned'], ...rows]),
  );
}

/** Takes a player out of every ranking of the space, and refuses new scores. */
export async function addBan(context: Context, handle: string, options: { space?: string }): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const answer = await signedIn(context).banPlayer(
    { params: { slug }, body: { handle } },
    { signal: context.signal },
  );
  context.output.result(
    { space: slug, ...answer },
    `@${answer.handle} is banned from the boards of ${slug}.`,
  );
}

export async function liftBan(context: Context, handle: string, options: { space?: string }): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const answer = await signedIn(context).liftBan(
    { params: { slug }, body: { handle } },
    { signal: context.signal },
  );
  context.output.result({ space: slug, ...answer }, `@${answer.handle} is on the boards of ${slug} again.`);
}
