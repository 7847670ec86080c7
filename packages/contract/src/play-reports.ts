import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { playSession } from './player.ts';
import { text } from './primitives.ts';

/** Reports of the page around a space about a load: its timing and its errors. The player is never stored. */
const tag = 'Players';

/** Longest play time in one report. Reports are sent every minute. */
export const maxReportedSeconds = 120;

const began = z.strictObject({
  ms: z.number().int().min(0).max(3_600_000).meta({
    description:
      'Milliseconds from the start of loading the frame until it could be played: `playing(true)` or `loading(1)`, where the space says one of them before the player does anything, else the load of its page.',
  }),
  bytes: z
    .number()
    .int()
    .min(0)
    .max(2 ** 40)
    .nullable()
    .meta({
      description:
        'What was loaded until then, as it is sent, cached or not; null where the browser does not tell.',
    }),
});

export const reportPlay = defineOperation({
  id: 'reportPlay',
  method: 'POST',
  path: '/api/player/plays',
  summary:
    'Tell how a load of a space went since the last report: whether play began, and for how long it was seen. What its owner plays is not counted.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z.strictObject({
    session: playSession,
    part: z.number().int().min(0).max(100_000).meta({
      description: 'Counts the reports of a load from 0: one that comes twice counts once.',
    }),
    began: began.optional().meta({ description: 'Once a load, in the report after play began.' }),
    seconds: z.number().int().min(0).max(maxReportedSeconds).meta({
      description: 'Seconds of play that were seen since the last report.',
    }),
  }),
  example: { body: { session: '…', part: 0, began: { ms: 900, bytes: 120_000 }, seconds: 30 } },
  answers: {
    202: z.object({
      counted: z
        .boolean()
        .meta({ description: 'False for its owner, for a robot, and for what was told already.' }),
    }),
  },
  errors: ['session_over', 'rate_limited'],
});

export const errorLimits = {
  inCall: 20,
  messageCharacters: 500,
  sourceCharacters: 500,
  stackCharacters: 4_000,
} as const;

export const errorKind = z
  .enum(['uncaught', 'rejection', 'reported'])
  .meta({ description: 'Uncaught, of a promise that nobody caught, or told with `Spaceport.error()`.' });

const lines = { lineBreaks: true };
const position = z.number().int().min(0).max(1_000_000_000);

const runtimeError = z
  .strictObject({
    kind: errorKind.default('uncaught'),
    message: text(1, errorLimits.messageCharacters, lines).describe('As the browser says it.'),
    source: text(1, errorLimits.sourceCharacters)
      .optional()
      .meta({ description: 'Address of the script; where it is absent the stack tells.' }),
    line: position.optional().describe('From 1.'),
    column: position.optional().describe('From 1.'),
    stack: text(0, errorLimits.stackCharacters, lines)
      .optional()
      .describe('As the browser writes it, one call a line.'),
    count: z.number().int().min(1).max(1_000).default(1).meta({
      description: 'How often it happened since it was last told.',
    }),
  })
  .meta({ id: 'RuntimeError' });
export type RuntimeError = z.output<typeof runtimeError>;

export const reportErrors = defineOperation({
  id: 'reportErrors',
  method: 'POST',
  path: '/api/player/errors',
  summary: 'Tell of errors in a space while it ran, for its owner: they are grouped, counted and bounded.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z.strictObject({
    session: playSession,
    errors: z.array(runtimeError).min(1).max(errorLimits.inCall).describe('Those since the last report.'),
  }),
  example: {
    body: { session: '…', errors: [{ message: 'bounce is not defined', line: 12, column: 4 }] },
  },
  answers: {
    202: z.object({
      kept: z.number().int().meta({ description: 'Those that are counted; none of a robot.' }),
    }),
  },
  errors: ['session_over', 'rate_limited'],
});
