import { withList } from '../cli-error.ts';
import { type Context, signedIn } from '../context.ts';
import { formatCount, formatMinute, formatTable, printable } from '../format.ts';
import { spaceOf } from '../versions.ts';

export interface ContentFlags {
  space?: string;
  kind?: string;
  reported?: boolean;
  sandbox?: boolean;
  /** `next` of the previous list. */
  cursor?: string;
}

/** Lists the items that players made in a space, the newest first. */
export async function listContent(context: Context, flags: ContentFlags): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const query = {
    limit: 100,
    ...(flags.kind !== undefined && { kind: flags.kind }),
    ...(flags.reported && { reported: 'true' as const }),
    ...(flags.sandbox && { sandbox: 'true' as const }),
    ...(flags.cursor !== undefined && { cursor: flags.cursor }),
  };
  const { items, next } = await signedIn(context).readOwnContent(
    { params: { slug }, query },
    { signal: context.signal },
  );
  const rows = items.map(({ id, kind, title, handle, likes, bytes, created_at, banned, reports }) => [
    id,
    kind,
    printable(title),
    handle === null ? '-' : `@${handle}`,
    formatCount(likes),
    formatCount(bytes),
    formatMinute(created_at),
    [...(reports > 0 ? [`${reports} reported`] : []), ...(banned ? ['banned'] : [])].join(', '),
  ]);
  const head = ['Id', 'Kind', 'Title', 'Player', 'Likes', 'Bytes', 'Published', ''];
  const more = next === null ? '' : `\nThere are more: --cursor ${next}`;
  context.output.result(
    { space: slug, items, next },
    rows.length === 0
      ? `Players have ${flags.reported ? 'nothing that is reported' : 'made nothing'} in ${slug}.`
      : formatTable([head, ...rows]) + more,
  );
}

/** Shows an item with its data. */
export async function showContent(context: Context, id: string, options: { space?: string }): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const item = await withList(
    signedIn(context).readOwnContentItem({ params: { slug, id } }, { signal: context.signal }),
    'content list',
  );
  const { kind, title, handle, data } = item;
  const by = handle === null ? '' : ` by @${handle}`;
  context.output.result(
    { space: slug, ...item },
    `${kind} ${JSON.stringify(printable(title))}${by}\n${printable(JSON.stringify(data, null, 2))}`,
  );
}

/** Deletes an item for everyone, with its likes. */
export async function deleteContent(
  context: Context,
  id: string,
  options: { space?: string },
): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const answer = await withList(
    signedIn(context).deleteOwnContent({ params: { slug, id } }, { signal: context.signal }),
    'content list',
  );
  context.output.result({ space: slug, id, ...answer }, `${id} is deleted.`);
}
