import { z } from 'zod';
import { banPlayer, liftBan, readBans } from '../bans.ts';
import { deleteSubmission, deleteSubmissions } from '../moderation.ts';
import { nextStep, spaceInput } from './checked.ts';
import { defineTool, type ToolHost, ToolRefusal } from './tool.ts';

const input = z.strictObject({
  space: spaceInput,
  action: z.enum(['bans', 'ban', 'unban', 'delete_score', 'delete_scores']).meta({
    description:
      '`bans` lists who is banned; `ban` and `unban` take player; `delete_score` takes submission; `delete_scores` deletes all that version, player or a span of time posted.',
  }),
  player: z.string().max(200).optional().meta({ description: 'Handle of a player.' }),
  submission: z
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Id that `boards` shows with an entry.' }),
  version: z
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Number of the version it was played in.' }),
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'Posted then or later.' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Posted before then.' }),
  board: z.string().max(60).optional().meta({ description: 'On this board alone.' }),
  dry_run: z.boolean().optional().meta({ description: 'Of `delete_scores`: only say what would go.' }),
});
type Given = z.output<typeof input>;

const output = z.object({
  bans: z.array(z.object({ handle: z.string(), banned_at: z.string() })).optional(),
  player: z.string().optional(),
  banned: z.boolean().optional(),
  deleted: z.number().int().optional().meta({ description: 'Submissions that were deleted.' }),
  would_delete: z.number().int().optional().meta({ description: 'Of a dry run.' }),
  next: nextStep,
});

export const moderateTool = defineTool({
  name: 'moderate',
  title: 'Players and scores of a space',
  description: 'Bans players from the boards of a space, and deletes scores for good. Ask the person first.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  example: { space: 'my-game', action: 'delete_scores', player: 'somebody', dry_run: true },
  scopeOf: () => 'moderate',
  run: (given, host) => actions[given.action](given, host),
});

const actions: Record<Given['action'], (given: Given, host: ToolHost) => Promise<z.output<typeof output>>> = {
  async bans({ space: slug }, host) {
    const { bans } = await host.call(readBans, { params: { slug } });
    return { bans, next: bans.length === 0 ? 'Nobody is banned.' : 'action: "unban" lifts one.' };
  },
  async ban({ space: slug, player }, host) {
    const handle = needed('ban', 'player', player);
    await host.call(banPlayer, { params: { slug }, body: { handle } });
    return { player: handle, banned: true, next: 'action: "unban" with the same player undoes it.' };
  },
  async unban({ space: slug, player }, host) {
    const handle = needed('unban', 'player', player);
    await host.call(liftBan, { params: { slug }, body: { handle } });
    return { player: handle, banned: false, next: 'Their entries are ranked again.' };
  },
  async delete_score({ space: slug, submission }, host) {
    const id = String(needed('delete_score', 'submission', submission));
    await host.call(deleteSubmission, { params: { slug, id: Number(id) } });
    return { deleted: 1, next: 'The player is ranked again from what remains: boards shows it.' };
  },
  async delete_scores({ space: slug, action: _action, submission: _submission, ...filter }, host) {
    const { submissions } = await host.call(deleteSubmissions, { params: { slug }, body: filter });
    return filter.dry_run === true
      ? { would_delete: submissions, next: 'Nothing was deleted: call it without dry_run to do so.' }
      : { deleted: submissions, next: 'The players are ranked again from what remains: boards shows it.' };
  },
};

function needed<T>(action: string, name: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new ToolRefusal({
    code: 'invalid',
    message: `«${name}» is missing: action «${action}» needs it.`,
    issues: [{ path: name, message: 'is missing' }],
    next: `Call moderate again with ${name}; boards with action: "entries" shows players and submissions.`,
  });
}
