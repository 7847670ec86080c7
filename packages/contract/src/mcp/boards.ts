import { z } from 'zod';
import { board, deleteBoard, putBoards, readBoards, readOwnEntries } from '../boards.ts';
import { boardDeclaration } from '../declarations.ts';
import { boardEntry } from '../entries.ts';
import { nextStep, spaceInput } from './checked.ts';
import { defineTool, type ToolHost, ToolRefusal } from './tool.ts';

const { shape } = boardDeclaration;

const input = z.strictObject({
  space: spaceInput,
  action: z.enum(['list', 'set', 'delete', 'entries']).default('list').meta({
    description:
      '`list` the boards, `set` one up or change it, `delete` one with all its scores, or read the `entries` of one.',
  }),
  key: shape.key.optional().meta({ description: 'The board: for all but `list`.' }),
  title: shape.title,
  metric: shape.metric,
  sort: shape.sort.meta({ description: '`desc` (the default): the highest score is best.' }),
  trust: shape.trust.meta({ description: '`server`: only the board secret posts.' }),
  keep: shape.keep,
  unit: shape.unit,
  decimals: shape.decimals,
  min: shape.min,
  max: shape.max,
  min_seconds: shape.min_seconds,
  max_per_second: shape.max_per_second,
  periods: shape.periods.meta({ description: 'Each is a ranking of its own.' }),
  cursor: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'For `entries`: `cursor` of the previous answer.' }),
});
type Given = z.output<typeof input>;

const output = z.object({
  boards: z.array(board).optional().meta({ description: 'Every board of the space.' }),
  entries: z.array(boardEntry).optional(),
  total: z.number().int().optional().meta({ description: 'Players in the ranking.' }),
  cursor: z.string().nullable().optional(),
  deleted: z.string().optional().meta({ description: 'Key of the board that was deleted.' }),
  next: nextStep,
});

export const boardsTool = defineTool({
  name: 'boards',
  title: 'Leaderboards of a space',
  description:
    'Lists the leaderboards of a space, sets one up, deletes one with all its scores, or reads the ranking of one.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  example: { space: 'my-game', action: 'set', key: 'high', title: 'High score' },
  scopeOf: () => 'boards',
  run: (given, host) => actions[given.action](given, host),
});

const actions: Record<Given['action'], (given: Given, host: ToolHost) => Promise<z.output<typeof output>>> = {
  async list({ space: slug }, host) {
    const { boards } = await host.call(readBoards, { params: { slug } });
    const next =
      boards.length === 0
        ? 'There is no board yet: boards with action: "set" and a key makes one.'
        : 'action: "entries" with a key reads a ranking; docs tells how a page posts a score.';
    return { boards, next };
  },
  async set({ space: slug, action: _action, cursor: _cursor, key, ...fields }, host) {
    const declared = { key: keyFor('set', key), ...fields };
    const { boards } = await host.call(putBoards, { params: { slug }, body: { boards: [declared] } });
    return {
      boards,
      next: `A page posts to it with Spaceport.run(${JSON.stringify(key)}); docs tells more.`,
    };
  },
  async delete({ space: slug, key }, host) {
    const wanted = keyFor('delete', key);
    await host.call(deleteBoard, { params: { slug, key: wanted } });
    const next =
      'A page or a service.json that still names the board brings it back, empty: take it out there too.';
    return { deleted: wanted, next };
  },
  async entries({ space: slug, key, cursor }, host) {
    const {
      entries,
      total,
      next: more,
    } = await host.call(readOwnEntries, {
      params: { slug, key: keyFor('entries', key) },
      query: cursor === undefined ? {} : { cursor },
    });
    const next =
      more === null
        ? 'These are all. moderate deletes one by its `submission`.'
        : `There are more: call boards again with cursor: ${JSON.stringify(more)}.`;
    return { entries, total, cursor: more, next };
  },
};

function keyFor(action: string, key: string | undefined): string {
  if (key !== undefined) return key;
  throw new ToolRefusal({
    code: 'invalid',
    message: `«key» is missing: action «${action}» is about one board.`,
    issues: [{ path: 'key', message: 'is missing' }],
    next: 'Call boards with action: "list" for the keys there are, then again with key.',
  });
}
