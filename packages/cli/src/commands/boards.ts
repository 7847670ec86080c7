import type { Board } from '@spaceport/contract/boards';
import type { BoardDeclaration } from '@spaceport/contract/declarations';
import { type Context, signedIn } from '../context.ts';
import { declaredLists } from '../declared-lists.ts';
import { formatCount, formatTable } from '../format.ts';
import { spaceOf } from '../versions.ts';

export async function getBoards(context: Context, options: { space?: string }): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const { boards } = await signedIn(context).readBoards({ params: { slug } }, { signal: context.signal });
  show(context, slug, boards);
}

/** Writes the boards from a file, stdin or service.json. The space's others stay. */
export async function putBoards(
  context: Context,
  file: string | undefined,
  options: { space?: string },
): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const client = signedIn(context);
  const lists = await declaredLists(context, file, ['boards']);
  // The service validates them, and names the field that is wrong.
  const boards = (lists.boards ?? []) as BoardDeclaration[];
  const answer = await client.putBoards({ params: { slug }, body: { boards } }, { signal: context.signal });
  show(context, slug, answer.boards);
}

function show({ output }: Context, slug: string, boards: readonly Board[]): void {
  const rows = boards.map((board) => [
    board.key,
    board.title,
    `${board.metric}, ${board.sort === 'asc' ? 'low first' : 'high first'}`,
    board.keep,
    board.trust,
    board.periods.join(' '),
    formatCount(board.entries),
    board.source,
  ]);
  const header = ['Key', 'Title', 'Ranks by', 'Keeps', 'Posted by', 'Periods', 'Players', 'Set by'];
  output.result(
    { space: slug, boards },
    boards.length === 0 ? `${slug} has no boards yet.` : formatTable([header, ...rows]),
  );
}
