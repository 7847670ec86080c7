import { z } from 'zod';
import {
  boardDeclaration,
  boardMetrics,
  boardPeriods,
  maxDeclaredAtOnce,
  uniqueKeys,
} from './declarations.ts';
import { key } from './declared-key.ts';
import { boardEntries, entriesQuery } from './entries.ts';
import { defineOperation } from './operation.ts';
import { createdAt, slugParameter, timestamp, yes } from './primitives.ts';

/** A space's boards and its secret. */

/** A board as stored, with defaults for every field that its declaration left out. */
export const board = z
  .object({
    key: key.describe('The name that calls use.'),
    title: z.string().describe('The text that players see.'),
    metric: z.enum(boardMetrics).meta({
      description: 'What a score is; `time` is in milliseconds.',
    }),
    sort: z.enum(['asc', 'desc']).describe('Whether less (`asc`) or more (`desc`) is better.'),
    trust: z.enum(['client', 'server']).meta({ description: '`server`: only the board secret posts.' }),
    keep: z.enum(['best', 'last', 'sum']).meta({ description: "Which of a player's scores counts." }),
    unit: z.string().nullable().describe('Shown after a score, or null.'),
    decimals: z.number().int().describe('How many decimals are shown.'),
    min: z.number().nullable().describe('The lowest score that is accepted, or null.'),
    max: z.number().nullable().describe('The highest score that is accepted, or null.'),
    min_seconds: z.number().int().nullable().meta({
      description: 'Players can only post runs, of at least this many seconds. The board secret is exempt.',
    }),
    max_per_second: z.number().nullable().meta({
      description: "The highest score per second of a player's run. The board secret is exempt.",
    }),
    periods: z.array(z.enum(boardPeriods)).meta({ description: 'Each is a ranking of its own, in UTC.' }),
    source: z.enum(['page', 'api']).meta({
      description: 'What changed it last: the page (its boards block, or service.json), or the API.',
    }),
    entries: z.number().int().meta({ description: 'Players in its first ranking.' }),
    created_at: createdAt,
    updated_at: timestamp.describe('When its declaration last changed.'),
  })
  .meta({ id: 'Board' });
export type Board = z.output<typeof board>;

const spaceParams = z.object({ slug: slugParameter });
const boardList = z.object({ boards: z.array(board).describe('Every board of the space.') });
const boardParams = z.object({ slug: slugParameter, key: key.describe('The key of the board.') });

export const readBoards = defineOperation({
  id: 'readBoards',
  method: 'GET',
  path: '/api/spaces/{slug}/boards',
  summary: 'Every board of a space.',
  tag: 'Boards',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: spaceParams,
  answers: { 200: boardList },
  errors: ['not_found'],
});

export const putBoards = defineOperation({
  id: 'putBoards',
  method: 'PUT',
  path: '/api/spaces/{slug}/boards',
  summary:
    'Add the boards in the body, or replace those with the same key. The others stay. Entries are ranked again if the change asks for it.',
  tag: 'Boards',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: spaceParams,
  // Far more than a space may have, so that too many boards are answered `too_many` and not 413.
  maxBodyBytes: 512 * 1024,
  body: z.strictObject({
    boards: z
      .array(boardDeclaration)
      // The service answers `too_many` for a space over its cap, because its other boards count too.
      .max(maxDeclaredAtOnce)
      .superRefine(uniqueKeys)
      .describe('The boards to add or to replace; a field that is left out gets its default.'),
  }),
  example: { body: { boards: [{ key: 'high', title: 'High scores', periods: ['all', 'week'] }] } },
  more: 'A field that is left out gets its default, also when the board replaces one.',
  answers: { 200: boardList },
  errors: ['forbidden', 'not_found', 'too_many'],
});

export const deleteBoard = defineOperation({
  id: 'deleteBoard',
  method: 'DELETE',
  path: '/api/spaces/{slug}/boards/{key}',
  summary:
    'Delete a board with every score on it, in the sandbox too. A page that still names it brings it back, empty.',
  tag: 'Boards',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: boardParams,
  answers: {
    200: z.object({
      deleted: yes,
      entries: z.number().int().meta({ description: 'Players whose scores were deleted with it.' }),
    }),
  },
  errors: ['forbidden', 'not_found'],
});

export const readOwnEntries = defineOperation({
  id: 'readOwnEntries',
  method: 'GET',
  path: '/api/spaces/{slug}/boards/{key}/entries',
  summary:
    'The ranking of a board of the caller’s own space, or of its sandbox, also while nobody else may see the space.',
  tag: 'Boards',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: boardParams,
  query: entriesQuery.extend({
    sandbox: z.enum(['true', 'false']).optional().meta({ description: 'Read the sandbox of the board.' }),
  }),
  example: { query: { limit: 10, sandbox: 'true' } },
  answers: { 200: boardEntries },
  errors: ['not_found', 'no_such_player'],
});

export const issueSecret = defineOperation({
  id: 'issueSecret',
  method: 'POST',
  path: '/api/spaces/{slug}/secret',
  summary: "Issue the space's board secret. It is shown once. The secret before it is refused from now on.",
  tag: 'Boards',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: spaceParams,
  more: 'It belongs on a server: whoever has it posts any score.',
  answers: {
    201: z.object({
      secret: z.string().describe('It is in this answer only.'),
      message: z.string().describe('What to do with it, for a person.'),
    }),
  },
  errors: ['forbidden', 'not_found'],
});

export const readSecret = defineOperation({
  id: 'readSecret',
  method: 'GET',
  path: '/api/spaces/{slug}/secret',
  summary: 'When the board secret was issued and replaced; never the secret.',
  tag: 'Boards',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: spaceParams,
  answers: {
    200: z.object({
      secret: z
        .object({
          created_at: timestamp.describe('When the first one was issued.'),
          rotated_at: timestamp.nullable().describe('When it was last replaced, or null.'),
        })
        .nullable()
        .describe('Null where none was issued.'),
    }),
  },
  errors: ['not_found'],
});
