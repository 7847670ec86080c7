import { z } from 'zod';
import { key } from './declared-key.ts';
import { defineOperation } from './operation.ts';
import { digits, givenVersion, handle, slugParameter, timestamp, yes } from './primitives.ts';

/** A creator's actions on players and their scores. */
const spaceParams = z.object({ slug: slugParameter });
const submissionParams = z.object({
  slug: slugParameter,
  id: digits(1).meta({
    description: "A submission's id: a positive integer.",
  }),
});
const version = z
  .number()
  .int()
  .nullable()
  .describe('The number of the version it was played in; null where none is known.');
const submittedAt = timestamp.describe('When it was posted.');

export const deleteSubmission = defineOperation({
  id: 'deleteSubmission',
  method: 'DELETE',
  path: '/api/spaces/{slug}/scores/{id}',
  summary: 'Delete a submission; its player is ranked again from those that remain.',
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: submissionParams,
  answers: { 200: z.object({ deleted: yes }) },
  errors: ['forbidden', 'not_found'],
  statuses: { invalid: 400 },
});

const instant = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 time with its zone' })
  .meta({ examples: ['2026-01-31T12:00:00.000Z'] });

/** A filter of submissions. A submission must match every named field. */
const submissionFilter = z.strictObject({
  version: givenVersion.optional().meta({ description: 'Played in this version, by its number.' }),
  player: handle.optional().describe('Posted by this player, by handle.'),
  from: instant.optional().meta({ description: 'Posted then or later.' }),
  to: instant.optional().meta({ description: 'Posted before then.' }),
  board: key.optional().meta({ description: 'Only on this board.' }),
  sandbox: z.boolean().default(false).meta({ description: 'In the sandbox instead of live data.' }),
  dry_run: z.boolean().default(false).meta({ description: 'Only say what would be deleted.' }),
});

export const deleteSubmissions = defineOperation({
  id: 'deleteSubmissions',
  method: 'DELETE',
  path: '/api/spaces/{slug}/scores',
  summary:
    'Delete every submission of one version, one player or one span of time; `dry_run` shows first which. Their players are ranked again.',
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: spaceParams,
  body: submissionFilter
    .refine(
      ({ version, player, from, to }) => [version, player, from, to].some((one) => one !== undefined),
      'must name a version, a player or a span of time: send `version`, `player`, `from` or `to`',
    )
    .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
      message: 'must be after from',
      path: ['to'],
    }),
  example: { body: { player: 'ada', dry_run: true } },
  more: 'Name a version, a player or a span of time. Only submissions that match all that is named are deleted.',
  answers: {
    200: z.object({
      dry_run: z.boolean().describe('Whether nothing was deleted.'),
      submissions: z.number().int().describe('How many submissions match.'),
      guest_scores: z.number().int().meta({
        description:
          'Best scores of guests, who are in no ranking: they match by version or span of time too.',
      }),
      boards: z
        .array(
          z.object({
            board: z.string().describe('The key of the board.'),
            submissions: z.number().int().describe('How many of them are on it.'),
            players: z.number().int().describe('How many players posted them.'),
            ranked: z.enum(['now', 'soon']).meta({
              description: '`soon`: the ranking is built again in the background and shown within moments.',
            }),
          }),
        )
        .describe('The same numbers by board.'),
      first: z
        .array(
          z.object({
            submission: z.number().int().describe('Its id.'),
            board: z.string().describe('The key of its board.'),
            handle: z.string().describe('The handle of the player.'),
            score: z.number().describe('The score as it was sent.'),
            version,
            submitted_at: submittedAt,
          }),
        )
        .meta({ description: 'The newest ten of the submissions.' }),
    }),
  },
  errors: ['forbidden', 'not_found', 'no_such_player'],
});

const replaySummary = {
  submission: z.number().int().describe('Its id.'),
  handle: z.string().describe('The handle of the player.'),
  score: z.number().describe('The score as it was sent.'),
  version,
  bytes: z.number().int().describe('The size of the replay, in bytes.'),
  submitted_at: submittedAt,
};

export const readReplays = defineOperation({
  id: 'readReplays',
  method: 'GET',
  path: '/api/spaces/{slug}/boards/{key}/replays',
  summary: 'The replays that are kept for the best entries of a board, newest first.',
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: z.object({ slug: slugParameter, key: key.describe('The key of the board.') }),
  query: z.strictObject({
    sandbox: z.enum(['true', 'false']).optional().describe('Read the sandbox instead of live data.'),
  }),
  answers: { 200: z.object({ replays: z.array(z.object(replaySummary)).describe('Newest first.') }) },
  errors: ['not_found'],
});

export const readReplay = defineOperation({
  id: 'readReplay',
  method: 'GET',
  path: '/api/spaces/{slug}/scores/{id}/replay',
  summary: 'The replay of a submission, as the game made it, with the seed of its run.',
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: submissionParams,
  answers: {
    200: z.object({
      ...replaySummary,
      board: z.string().describe('The key of its board.'),
      seed: z.string().nullable().meta({ description: '`seed` of the run; null for a score without a run.' }),
      replay: z.string().meta({ description: 'Base64.' }),
    }),
  },
  errors: ['not_found'],
});
