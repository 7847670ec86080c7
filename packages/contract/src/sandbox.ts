import { z } from 'zod';
import { spaceParams } from './hosting.ts';
import { defineOperation } from './operation.ts';
import { handle } from './primitives.ts';

/** The categories of records in a sandbox. */
export const sandboxCategories = ['scores', 'saves', 'achievements', 'content', 'rooms'] as const;
export type SandboxCategory = (typeof sandboxCategories)[number];

export const resetSandbox = defineOperation({
  id: 'resetSandbox',
  method: 'POST',
  path: '/api/v1/hosting/spaces/{slug}/reset',
  summary: "Delete a space's sandbox data: all of it, or by category and player. Live data is never touched.",
  tag: 'Hosting',
  credential: 'token',
  scope: 'moderate',
  edge: 'hosting',
  params: spaceParams,
  body: z
    .strictObject({
      categories: z
        .array(z.enum(sandboxCategories))
        .min(1)
        .refine((list) => new Set(list).size === list.length, 'must not repeat a category')
        .optional()
        .describe('What to delete. If absent: all of it.'),
      player: handle.optional().describe('Only data of this player, by handle.'),
    })
    .prefault({}),
  example: { body: { categories: ['scores'] } },
  answers: {
    200: z.object({
      deleted: z
        .partialRecord(z.enum(sandboxCategories), z.number().int())
        .meta({ description: 'Records deleted, for each category that was asked for.' }),
    }),
  },
  errors: ['forbidden', 'not_found', 'not_owner', 'no_player'],
});
