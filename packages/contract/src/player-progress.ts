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
    title: z.string().describe('What players read.'),
    points: z.number().int().describe('What it counts.'),
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
    "Write the player's stat, `by` for one that adds up and `value` for any other; unlocks what its triggers reach.",
  tag,
  credential: 'player',
  edge: 'plain',
  body: z
    .strictObject({
      session: playSession,
      stat: key.describe('The key of a stat that is declared.'),
      by: score.optional().describe('What is added, to a stat that adds up.'),
      value: score.optional().describe('What is set, of any other.'),
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
      first: z.boolean().meta({ description: 'False where the player had it already.' }),
      unlocked_at: timestamp.describe('Since when the player has it.'),
      achievement: earned.describe('What it is.'),
    }),
  },
  errors: progressErrors,
});

export const readPlayedAchievements = defineOperation({
  id: 'readPlayedAchievements',
  method: 'GET',
  path: '/api/player/achievements',
  summary: "A space's achievements, and since when the player has them; hidden ones say nothing before.",
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
            key: z.string().describe('The name that calls know it by.'),
            title: z.string().nullable().describe('Null of a hidden one that the player has not.'),
            description: z.string().nullable().describe('How it is earned, or null as the title.'),
            icon: z.string().nullable().describe('The address of a picture, or null.'),
            hidden: z.boolean().describe('Whether it says nothing before.'),
            points: z.number().int().describe('What it counts.'),
            unlocked_at: timestamp.nullable().describe('Null where the player has it not.'),
          }),
        )
        .describe('In the order of their declaration.'),
    }),
  },
  errors: ['not_found', 'space_unavailable'],
});
