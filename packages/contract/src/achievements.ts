import { z } from 'zod';
import {
  achievementDeclaration,
  key,
  maxDeclaredAtOnce,
  statDeclaration,
  uniqueKeys,
} from './declarations.ts';
import { defineOperation } from './operation.ts';
import { slugParameter } from './primitives.ts';

/** A space's stats and achievements (interface, "Achievements"; contract §4). */
export const stat = z
  .object({
    key,
    label: z.string(),
    op: z.enum(['set', 'add', 'max']).meta({
      description:
        'What a posted value does to the stored one: `set` replaces it, `add` is added to it, `max` replaces it if it is larger.',
    }),
  })
  .meta({ id: 'Stat' });
export type Stat = z.output<typeof stat>;

export const achievement = z
  .object({
    key,
    title: z.string(),
    description: z.string(),
    trigger: z.object({ stat: key, atLeast: z.number() }).nullable().meta({
      description: 'A posted value that brings the stat to `atLeast` unlocks the achievement.',
    }),
    icon: z.string().nullable(),
    hidden: z.boolean().meta({ description: 'Players read what it is only once they have it.' }),
    points: z.number().int(),
  })
  .meta({ id: 'Achievement' });
export type Achievement = z.output<typeof achievement>;

const spaceParams = z.object({ slug: slugParameter });
const declared = z.object({ stats: z.array(stat), achievements: z.array(achievement) });

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
  // Fifty of each at their longest, each character escaped.
  maxBodyBytes: 2 * 1024 * 1024,
  body: z.strictObject({
    stats: z
      .array(statDeclaration)
      // Over the cap of a space is `too_many`, which what it has already decides too.
      .max(maxDeclaredAtOnce)
      .refine(uniqueKeys, 'must not declare a key twice')
      .default([]),
    achievements: z
      .array(achievementDeclaration)
      .max(maxDeclaredAtOnce)
      .refine(uniqueKeys, 'must not declare a key twice')
      .default([]),
  }),
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
  params: z.object({ slug: slugParameter, key }),
  answers: { 200: z.object({ deleted: z.literal(true), values: z.number().int() }) },
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
  params: z.object({ slug: slugParameter, key }),
  answers: { 200: z.object({ deleted: z.literal(true), unlocks: z.number().int() }) },
  errors: ['forbidden', 'not_found'],
});
