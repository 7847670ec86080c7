import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { errorKind } from './play-reports.ts';
import { playEnv } from './player.ts';
import { cursor, nextCursor, pageLimit, queriedVersion, slugParameter, timestamp } from './primitives.ts';

/** How a space runs in its players' browsers, for its owner: loads and errors, by version. */
const tag = 'Telemetry';
const spaceParams = z.object({ slug: slugParameter });
const errorParams = z.object({
  slug: slugParameter,
  id: z.string().max(64).meta({ description: '`id` of an error.' }),
});

/** Counts older than this are deleted. */
export const telemetryDays = 90;

const versionNumber = z
  .number()
  .int()
  .nullable()
  .meta({ description: 'The number of the version; null for a page that runs elsewhere.' });
const env = playEnv
  .default('live')
  .meta({ description: 'The live space, or (`sandbox`) its previews and unlisted page.' });

const quantiles = z
  .object({
    median: z.number().int().describe('Half of them have less.'),
    p90: z.number().int().describe('Nine of ten have less.'),
  })
  .nullable()
  .meta({ id: 'Quantiles', description: 'Estimated from counted ranges; null before the first play.' });
export type Quantiles = z.output<typeof quantiles>;

export const playedVersion = z
  .object({
    version: versionNumber,
    sessions: z.number().int().meta({ description: 'Loads of the space by others than its owner.' }),
    never_played: z.number().int().meta({ description: 'Loads in which play has not begun.' }),
    seconds: z.number().int().meta({ description: 'Seconds of visible play.' }),
    ms_to_play: quantiles,
    bytes_to_play: quantiles,
    errors: z.number().int().meta({ description: 'Errors that were reported, repeats included.' }),
  })
  .meta({ id: 'PlayedVersion' });
export type PlayedVersion = z.output<typeof playedVersion>;

export const readTelemetry = defineOperation({
  id: 'readTelemetry',
  method: 'GET',
  path: '/api/spaces/{slug}/telemetry',
  summary: `How a space was loaded and played in the last ${telemetryDays} days, by version: the newest hundred.`,
  tag,
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: spaceParams,
  query: z.strictObject({ env }),
  answers: {
    200: z.object({
      env: playEnv.describe('The environment that was read.'),
      versions: z.array(playedVersion).describe('The newest hundred.'),
    }),
  },
  errors: ['not_found'],
});

const seen = {
  count: z.number().int().describe('How often it was reported.'),
  sessions: z.number().int().meta({ description: 'Loads that it happened in, about.' }),
  first_seen: timestamp.describe('When it was first reported.'),
  last_seen: timestamp.describe('When it was last reported.'),
};

const errorFields = {
  id: z.string().describe('The id that other calls take.'),
  kind: errorKind,
  message: z
    .string()
    .meta({ description: 'The message as it was first reported. Written by a stranger: show it as text.' }),
  place: z.string().nullable().meta({
    description: 'File and function, as the browser named them in the stack.',
  }),
  ...seen,
  versions: z
    .array(z.object({ version: versionNumber, ...seen }))
    .meta({ description: 'The newest twenty versions that it happened in.' }),
  browsers: z
    .array(
      z.object({ browser: z.string().describe('Its name.'), count: z.number().int().describe('How often.') }),
    )
    .meta({ description: 'The five browsers that it happened in most.' }),
  resolved: z
    .boolean()
    .meta({ description: 'Marked as resolved. The mark ends when the error happens in a newer version.' }),
};
export const spaceError = z.object(errorFields).meta({ id: 'SpaceError' });
export type SpaceError = z.output<typeof spaceError>;

const spaceErrorWithStack = z
  .object({
    ...errorFields,
    stack: z.string().nullable().meta({ description: 'One stack, from the newest version that has one.' }),
    stack_version: versionNumber,
    mapped: z.boolean().meta({
      description: 'Whether the stack names the sources: source maps were published with that version.',
    }),
  })
  .meta({ id: 'SpaceErrorWithStack' });
export type SpaceErrorWithStack = z.output<typeof spaceErrorWithStack>;

export const readErrors = defineOperation({
  id: 'readErrors',
  method: 'GET',
  path: '/api/spaces/{slug}/errors',
  summary: 'Errors in a space while it ran, grouped by message and place; the latest first.',
  tag,
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: spaceParams,
  query: z.strictObject({
    env,
    version: queriedVersion.optional().meta({ description: 'Only errors in this version.' }),
    resolved: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: 'Only errors that were marked as resolved. If absent: only the others.' }),
    limit: pageLimit(100, 25),
    cursor: cursor(200),
  }),
  answers: {
    200: z.object({ errors: z.array(spaceError).describe('The latest first.'), next: nextCursor }),
  },
  errors: ['not_found'],
});

export const readError = defineOperation({
  id: 'readError',
  method: 'GET',
  path: '/api/spaces/{slug}/errors/{id}',
  summary: 'One error of a space with a stack, mapped to the sources where their maps were published.',
  tag,
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: errorParams,
  answers: { 200: spaceErrorWithStack },
  errors: ['not_found'],
});

export const changeError = defineOperation({
  id: 'changeError',
  method: 'PATCH',
  path: '/api/spaces/{slug}/errors/{id}',
  summary: 'Mark an error as resolved, or not. It comes back when it happens in a newer version.',
  tag,
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: errorParams,
  body: z.strictObject({ resolved: z.boolean().describe('Whether it is resolved.') }),
  example: { body: { resolved: true } },
  answers: { 200: spaceError },
  errors: ['not_found'],
});

const errorMails = z.object({
  on: z.boolean().meta({
    description:
      'Whether its owner gets a mail when a version that went live within seven days has an error that no earlier one had, in several loads: at most one a version and day.',
  }),
});

export const readErrorMails = defineOperation({
  id: 'readErrorMails',
  method: 'GET',
  path: '/api/spaces/{slug}/error-mails',
  summary: 'Whether the owner of a space gets mail about new errors in a new version.',
  tag,
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: spaceParams,
  answers: { 200: errorMails },
  errors: ['not_found'],
});

export const setErrorMails = defineOperation({
  id: 'setErrorMails',
  method: 'PUT',
  path: '/api/spaces/{slug}/error-mails',
  summary: 'Switch mail about new errors in a new version on or off, for one space.',
  tag,
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: spaceParams,
  body: z.strictObject({ on: z.boolean().describe('Whether mail is sent.') }),
  example: { body: { on: true } },
  answers: { 200: errorMails },
  errors: ['not_found'],
});
