import { maxPageSize } from '@spaceport/contract/listing';
import { type Context, signedIn } from '../context.ts';
import { formatCount, formatTable, printableLine } from '../format.ts';
import { commandLine } from '../origin.ts';

export interface SpacesFlags {
  deleted?: boolean;
}

/** Lists the account's spaces, or the deleted ones that can be restored, newest first. */
export async function spaces(context: Context, { deleted = false }: SpacesFlags): Promise<void> {
  const list = await allSpaces(context, deleted);
  const rows = list.map(({ slug, title, state, hosted, live_version: live, plays, service_url }) => [
    slug,
    printableLine(title),
    state,
    hosted ? (live === null ? 'nothing yet' : String(live)) : 'elsewhere',
    formatCount(plays),
    service_url,
  ]);
  const none = deleted
    ? 'No deleted space can be restored.'
    : `You have no spaces yet. Publish one: ${commandLine('publish')}`;
  context.output.result(
    { spaces: list },
    list.length === 0
      ? none
      : formatTable([['Space', 'Title', 'State', 'Live version', 'Plays', 'Page'], ...rows]),
  );
}

async function allSpaces(context: Context, deleted: boolean) {
  const client = signedIn(context);
  const page = (cursor: string | undefined) =>
    client.mySpaces(
      {
        query: {
          limit: maxPageSize,
          ...(deleted && { deleted: 'true' as const }),
          ...(cursor !== undefined && { cursor }),
        },
      },
      { signal: context.signal },
    );
  let { spaces: list, next } = await page(undefined);
  while (next !== null) {
    const more = await page(next);
    list = [...list, ...more.spaces];
    next = more.next;
  }
  return list;
}
