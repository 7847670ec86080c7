import { z } from 'zod';
import { score } from './declarations.ts';
import { key } from './declared-key.ts';
import { defineOperation } from './operation.ts';
import { playedSpace, playSession } from './player.ts';
import { timestamp } from './primitives.ts';

/** The calls of a space's page for its player's stats and achievements. */
const tag = 'Players';

const earned = z
  .object({
    key: z.string().describe('Which one.'),
    title: z.string().describe('The text that players see.'),
    points: z.number().int().describe('How many points it gives.'),
    icon: z.string().nullable().describe('The address of a picture, or null.'),
  })
  .meta({ id: 'EarnedAchievement' });
export type EarnedAchievement = z.output<typeof earned>;

const progressErrors = [
  'not_found',
  'session_over',
  'space_unavailable',
  'sign_in_required',
  'banned',
  'rate_limited',
  'conflict',
] as const;

export const submitStat = defineOperation({
  id: 'submitStat',
  method: 'POST',
  path: '/api/player/stats',
  summary:
    'Write a stat of the player: `by` for one that adds up, `value` for any other. Unlocks the achievements whose triggers it reaches.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z
    .strictObject({
      session: playSession,
      stat: key.describe('The key of a stat that is declared.'),
      by: score.optional().describe('The number to add, to a stat that adds up.'),
      value: score.optional().describe('The value to write, to any other stat.'),
    })
    .refine(({ by, value }) => (by === undefined) !== (value === undefined), {
      message: 'must be what is added or what is set: send one of `by` and `value`',
      path: ['value'],
    }),
  example: { body: { session: '…', stat: 'coins', by: 5 } },
  answers: {
    200: z.object({
      value: z.number().describe('What is stored now.'),
      unlocked: z.array(earned).describe('What this write unlocked.'),
    }),
  },
  errors: progressErrors,
});

export const submitAchievement = defineOperation({
  id: 'submitAchievement',
  method: 'POST',
  path: '/api/player/achievements',
  summary: 'Unlock an achievement for the player; once.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z.strictObject({
    session: playSession,
    key: key.describe('The key of an achievement that is declared.'),
  }),
  example: { body: { session: '…', key: 'first-win' } },
  answers: {
    200: z.object({
      first: z.boolean().meta({ description: 'False if the player had it already.' }),
      unlocked_at: timestamp.describe('When the player unlocked it.'),
      achievement: earned.describe('What it is.'),
    }),
  },
  errors: progressErrors,
});

export const readPlayedAchievements = defineOperation({
  id: 'readPlayedAchievements',
  method: 'GET',
  path: '/api/player/achievements',
  summary:
    "A space's achievements, and since when the player has them; the text of hidden ones is null until then.",
  tag,
  credential: 'player',
  edge: 'plain',
  query: z.strictObject({ space: playedSpace }),
  example: { query: { space: 'moon-hopper' } },
  answers: {
    200: z.object({
      achievements: z
        .array(
          z.object({
            key: z.string().describe('The name that calls use.'),
            title: z.string().nullable().describe('Null if it is hidden and the player does not have it.'),
            description: z.string().nullable().describe('How it is earned; null when the title is.'),
            icon: z.string().nullable().describe('The address of a picture, or null.'),
            hidden: z.boolean().describe('Whether title and description are null until the player has it.'),
            points: z.number().int().describe('How many points it gives.'),
            unlocked_at: timestamp.nullable().describe('Null if the player does not have it.'),
          }),
        )
        .describe('In the order of their declaration.'),
    }),
  },
  errors: ['not_found', 'space_unavailable'],
});
