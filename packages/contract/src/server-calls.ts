import { z } from 'zod';
import { key, score } from './declarations.ts';
import { defineOperation } from './operation.ts';
import { handle, timestamp } from './primitives.ts';

/** What a space's own server calls with the board secret, which names the space (interface, "Server-to-server calls"; contract §5). */
export const maxBatch = 100;
export const maxMetaBytes = 1_024;
/** A hundred posts with player tokens and meta, each character escaped. */
const maxBatchBytes = 1024 * 1024;
export const idempotencyHeader = 'idempotency-key';
/** On an answer that an earlier call with the same key got. */
export const replayedHeader = 'idempotent-replayed';

const who = {
  player: handle.optional(),
  player_token: z.string().max(4_000).optional().meta({
    description: 'A player token of this space, in the place of `player`.',
  }),
  sandbox: z.boolean().optional().meta({ description: 'Write to the sandbox that previews use.' }),
};
const namesOnePlayer = (input: { player?: string | undefined; player_token?: string | undefined }) =>
  (input.player === undefined) !== (input.player_token === undefined);
const onePlayer = { message: 'must name one player: `player` or `player_token`', path: ['player'] };

// Any values, for they come out of a JSON body; the recursive schema of JSON breaks generators of clients.
const meta = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= maxMetaBytes,
    `must be at most ${maxMetaBytes} bytes of JSON`,
  )
  .meta({ description: 'Anything about the run, up to 1 KB of JSON.' });

const scorePost = z
  .strictObject({ board: key, ...who, score, meta: meta.optional() })
  .refine(namesOnePlayer, onePlayer)
  .meta({ id: 'ScorePost' });
export type ScorePost = z.output<typeof scorePost>;

const statPost = z
  .strictObject({ stat: key, ...who, value: score })
  .refine(namesOnePlayer, onePlayer)
  .meta({ id: 'StatPost' });
export type StatPost = z.output<typeof statPost>;

const achievementPost = z
  .strictObject({ achievement: key, ...who })
  .refine(namesOnePlayer, onePlayer)
  .meta({ id: 'AchievementPost' });
export type AchievementPost = z.output<typeof achievementPost>;

const scoreResult = z
  .object({
    submission: z.object({
      id: z.number().int(),
      board: z.string(),
      player: z.string(),
      score: z.number(),
      created_at: timestamp,
    }),
    rank: z.number().int().meta({ description: "In the board's first ranking, from 1." }),
    best: z.number().meta({ description: "The player's score there, as the board's `keep` says." }),
    entries: z.number().int().meta({ description: 'Players in that ranking.' }),
  })
  .meta({ id: 'ScoreResult' });
export type ScoreResult = z.output<typeof scoreResult>;

const statResult = z
  .object({
    stat: z.string(),
    player: z.string(),
    value: z.number(),
    unlocked: z.array(z.string()).meta({ description: 'Keys of the achievements that this write unlocked.' }),
  })
  .meta({ id: 'StatResult' });
export type StatResult = z.output<typeof statResult>;

const achievementResult = z
  .object({
    achievement: z.string(),
    player: z.string(),
    unlocked_at: timestamp,
    first: z.boolean().meta({ description: 'False where the player had it already.' }),
  })
  .meta({ id: 'AchievementResult' });
export type AchievementResult = z.output<typeof achievementResult>;

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
  body: z.union([scorePost, z.strictObject({ scores: z.array(scorePost).min(1).max(maxBatch) })]),
  answers: { 201: z.union([scoreResult, z.object({ results: z.array(scoreResult) })]) },
  errors,
});

export const postStats = defineOperation({
  id: 'postStats',
  method: 'POST',
  path: '/api/v1/stats',
  summary: "Write a player's stat, or up to 100 in one transaction; unlocks what its triggers reach.",
  tag: 'Server to server',
  credential: 'secret',
  edge: 'plain',
  maxBodyBytes: maxBatchBytes,
  body: z.union([statPost, z.strictObject({ stats: z.array(statPost).min(1).max(maxBatch) })]),
  answers: { 200: z.union([statResult, z.object({ results: z.array(statResult) })]) },
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
  answers: { 200: achievementResult },
  errors,
});
