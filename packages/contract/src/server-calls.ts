import { z } from 'zod';
import { score } from './declarations.ts';
import { key } from './declared-key.ts';
import { defineOperation } from './operation.ts';
import { handle, timestamp } from './primitives.ts';

/**
 * Calls of a space's own server with the board secret, which names the space.
 */
export const maxBatch = 100;
export const maxMetaBytes = 1_024;
/** Enough for a hundred posts with player tokens and meta, with each character escaped. */
const maxBatchBytes = 1024 * 1024;
export const idempotencyHeader = 'idempotency-key';
/** The header on a replayed answer: an earlier call with the same key got it first. */
export const replayedHeader = 'idempotent-replayed';

const who = {
  player: handle
    .optional()
    .describe('The handle of the player; a leading @ is accepted. Send it or `player_token`.'),
  player_token: z.string().max(4_000).optional().meta({
    description: 'A player token of this space, instead of `player`.',
  }),
  sandbox: z.boolean().optional().meta({ description: 'Write to the sandbox that previews use.' }),
};
const namesOnePlayer = (input: { player?: string | undefined; player_token?: string | undefined }) =>
  (input.player === undefined) !== (input.player_token === undefined);
const onePlayer = { message: 'must name one player: `player` or `player_token`', path: ['player'] };

// Any values are JSON, because they come from a JSON body; a recursive JSON schema breaks client generators.
const meta = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= maxMetaBytes,
    `must be at most ${maxMetaBytes} bytes of JSON`,
  )
  .meta({ description: 'Anything about the run, up to 1 KB of JSON.' });

const scorePost = z
  .strictObject({
    board: key.describe('The key of a board that is declared.'),
    ...who,
    score: score.describe(
      'A number within ±2^53 and the bounds of the board; of a `time` board milliseconds.',
    ),
    meta: meta.optional(),
  })
  .refine(namesOnePlayer, onePlayer)
  .meta({ id: 'ScorePost' });
export type ScorePost = z.output<typeof scorePost>;

const statPost = z
  .strictObject({
    stat: key.describe('The key of a stat that is declared.'),
    ...who,
    value: score.describe('The number that the `op` of the stat sets, adds or compares (max).'),
  })
  .refine(namesOnePlayer, onePlayer)
  .meta({ id: 'StatPost' });
export type StatPost = z.output<typeof statPost>;

const achievementPost = z
  .strictObject({ achievement: key.describe('The key of an achievement that is declared.'), ...who })
  .refine(namesOnePlayer, onePlayer)
  .meta({ id: 'AchievementPost' });
export type AchievementPost = z.output<typeof achievementPost>;

const scoreResult = z
  .object({
    submission: z
      .object({
        id: z.number().int().describe('The id to delete it by.'),
        board: z.string().describe('The key of the board.'),
        player: z.string().describe('The handle of the player.'),
        score: z.number().describe('The score as it was sent.'),
        created_at: timestamp.describe('When it was posted.'),
      })
      .describe('What was posted.'),
    rank: z.number().int().meta({ description: "The rank in the board's first ranking, from 1." }),
    best: z.number().meta({ description: "The player's score there, as the board's `keep` says." }),
    entries: z.number().int().meta({ description: 'Players in that ranking.' }),
  })
  .meta({ id: 'ScoreResult' });
export type ScoreResult = z.output<typeof scoreResult>;

const statResult = z
  .object({
    stat: z.string().describe('The key of the stat.'),
    player: z.string().describe('The handle of the player.'),
    value: z.number().describe('What is stored now.'),
    unlocked: z.array(z.string()).meta({ description: 'Keys of the achievements that this write unlocked.' }),
  })
  .meta({ id: 'StatResult' });
export type StatResult = z.output<typeof statResult>;

const achievementResult = z
  .object({
    achievement: z.string().describe('The key of the achievement.'),
    player: z.string().describe('The handle of the player.'),
    unlocked_at: timestamp.describe('When the player unlocked it.'),
    first: z.boolean().meta({ description: 'False if the player had it already.' }),
  })
  .meta({ id: 'AchievementResult' });
export type AchievementResult = z.output<typeof achievementResult>;

const inPlaceOfOne = 'A list, instead of the other fields: all of it is written, or none.';
const inTheirOrder = 'The results for a list, in its order; each as it is after the whole list.';

const errors = ['not_found', 'no_such_player', 'banned', 'rate_limited', 'conflict'] as const;

export const postScores = defineOperation({
  id: 'postScores',
  method: 'POST',
  path: '/api/v1/scores',
  summary: 'Post a score, or up to 100 in one transaction. `Idempotency-Key` makes a repeat safe.',
  tag: 'Server to server',
  credential: 'secret',
  edge: 'plain',
  maxBodyBytes: maxBatchBytes,
  body: z.union([
    scorePost,
    z.strictObject({
      scores: z.array(scorePost).min(1).max(maxBatch).describe(inPlaceOfOne),
    }),
  ]),
  example: { body: { board: 'high', player: 'ada', score: 4210 } },
  more: 'Send one score as fields of the body, or a list as `scores`. Name the player by `player` or by `player_token`.',
  answers: {
    201: z.union([scoreResult, z.object({ results: z.array(scoreResult).describe(inTheirOrder) })]),
  },
  errors,
});

export const postStats = defineOperation({
  id: 'postStats',
  method: 'POST',
  path: '/api/v1/stats',
  summary:
    "Write a player's stat, or up to 100 in one transaction; unlocks the achievements whose triggers it reaches.",
  tag: 'Server to server',
  credential: 'secret',
  edge: 'plain',
  maxBodyBytes: maxBatchBytes,
  body: z.union([
    statPost,
    z.strictObject({
      stats: z.array(statPost).min(1).max(maxBatch).describe(inPlaceOfOne),
    }),
  ]),
  example: { body: { stat: 'coins', player: 'ada', value: 5 } },
  more: 'Send one value as fields of the body, or a list as `stats`. Name the player by `player` or by `player_token`.',
  answers: { 200: z.union([statResult, z.object({ results: z.array(statResult).describe(inTheirOrder) })]) },
  errors,
});

export const unlockAchievement = defineOperation({
  id: 'unlockAchievement',
  method: 'POST',
  path: '/api/v1/achievements',
  summary: 'Unlock an achievement for a player; once.',
  tag: 'Server to server',
  credential: 'secret',
  edge: 'plain',
  body: achievementPost,
  example: { body: { achievement: 'first-win', player: 'ada' } },
  answers: { 200: achievementResult },
  errors,
});
