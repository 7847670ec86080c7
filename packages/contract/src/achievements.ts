import { z } from 'zod';
import { achievementDeclaration, maxDeclaredAtOnce, statDeclaration, uniqueKeys } from './declarations.ts';
import { key } from './declared-key.ts';
import { defineOperation } from './operation.ts';
import { slugParameter, yes } from './primitives.ts';

/** A space's stats and achievements. */
export const stat = z
  .object({
    key: key.describe('The name that calls use.'),
    label: z.string().describe('The text that players see.'),
    op: z.enum(['set', 'add', 'max']).meta({
      description:
        'What a posted value does to the stored one: `set` replaces it, `add` is added to it, `max` replaces it if it is larger.',
    }),
  })
  .meta({ id: 'Stat' });
export type Stat = z.output<typeof stat>;

export const achievement = z
  .object({
    key: key.describe('The name that calls use.'),
    title: z.string().describe('The text that players see.'),
    description: z.string().describe('How it is earned; may be empty.'),
    trigger: z
      .object({
        stat: key.describe('The key of the stat.'),
        atLeast: z.number().describe('The value that unlocks.'),
      })
      .nullable()
      .meta({
        description: 'A posted value that brings the stat to `atLeast` unlocks the achievement.',
      }),
    icon: z.string().nullable().describe('The address of a picture, or null.'),
    hidden: z.boolean().meta({ description: 'Players see title and description only after they unlock it.' }),
    points: z.number().int().describe('How many points it gives.'),
  })
  .meta({ id: 'Achievement' });
export type Achievement = z.output<typeof achievement>;

const spaceParams = z.object({ slug: slugParameter });
const declared = z.object({
  stats: z.array(stat).describe('Every stat of the space.'),
  achievements: z.array(achievement).describe('Every achievement of the space.'),
});

export const readAchievements = defineOperation({
  id: 'readAchievements',
  method: 'GET',
  path: '/api/spaces/{slug}/achievements',
  summary: "A space's stats and achievements.",
  tag: 'Achievements',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: spaceParams,
  answers: { 200: declared },
  errors: ['not_found'],
});

export const putAchievements = defineOperation({
  id: 'putAchievements',
  method: 'PUT',
  path: '/api/spaces/{slug}/achievements',
  summary:
    'Add the stats and achievements in the body, or replace those with the same key, stats first. The others stay.',
  tag: 'Achievements',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: spaceParams,
  // Enough for fifty of each at their longest, with each character escaped.
  maxBodyBytes: 2 * 1024 * 1024,
  body: z.strictObject({
    stats: z
      .array(statDeclaration)
      // The service answers `too_many` for a space over its cap, because the existing entries count too.
      .max(maxDeclaredAtOnce)
      .superRefine(uniqueKeys)
      .default([])
      .describe('The stats to add or to replace; a field that is left out gets its default.'),
    achievements: z
      .array(achievementDeclaration)
      .max(maxDeclaredAtOnce)
      .superRefine(uniqueKeys)
      .default([])
      .describe(
        'The achievements to add or to replace. A trigger names a stat of the space or of this request.',
      ),
  }),
  example: {
    body: {
      stats: [{ key: 'coins', label: 'Coins', op: 'add' }],
      achievements: [{ key: 'rich', title: 'Rich', trigger: { stat: 'coins', atLeast: 100 } }],
    },
  },
  answers: { 200: declared },
  errors: ['forbidden', 'not_found', 'unknown_stat', 'too_many'],
});

export const deleteStat = defineOperation({
  id: 'deleteStat',
  method: 'DELETE',
  path: '/api/spaces/{slug}/stats/{key}',
  summary: "Delete a stat with every player's value, in the sandbox too. Refused while a trigger names it.",
  tag: 'Achievements',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: z.object({ slug: slugParameter, key: key.describe('The key of the stat.') }),
  answers: {
    200: z.object({
      deleted: yes,
      values: z.number().int().describe('Players whose values were deleted with it.'),
    }),
  },
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const deleteAchievement = defineOperation({
  id: 'deleteAchievement',
  method: 'DELETE',
  path: '/api/spaces/{slug}/achievements/{key}',
  summary: 'Delete an achievement, and take it from everyone who has it.',
  tag: 'Achievements',
  credential: 'token',
  scope: 'boards',
  edge: 'plain',
  params: z.object({ slug: slugParameter, key: key.describe('The key of the achievement.') }),
  answers: {
    200: z.object({ deleted: yes, unlocks: z.number().int().describe('Players who had it.') }),
  },
  errors: ['forbidden', 'not_found'],
});
