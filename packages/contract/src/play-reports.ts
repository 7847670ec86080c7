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
      'Milliseconds from the start of loading the frame until it could be played: `playing(true)` or `loading(1)`, if the space calls one of them before the player does anything, else the load of its page.',
  }),
  bytes: z
    .number()
    .int()
    .min(0)
    .max(2 ** 40)
    .nullable()
    .meta({
      description:
        'The encoded size of what was loaded until then, from the cache or not; null if the browser does not tell.',
    }),
});

export const reportPlay = defineOperation({
  id: 'reportPlay',
  method: 'POST',
  path: '/api/player/plays',
  summary:
    'Report how a load of a space went since the last report: whether play began, and for how long the space was visible. Plays of its owner are not counted.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z.strictObject({
    session: playSession,
    part: z.number().int().min(0).max(100_000).meta({
      description: 'The number of this report in the load, from 0. A report that is sent twice counts once.',
    }),
    began: began.optional().meta({ description: 'Once a load, in the report after play began.' }),
    seconds: z.number().int().min(0).max(maxReportedSeconds).meta({
      description: 'Seconds of visible play since the last report.',
    }),
  }),
  example: { body: { session: '…', part: 0, began: { ms: 900, bytes: 120_000 }, seconds: 30 } },
  answers: {
    202: z.object({
      counted: z.boolean().meta({
        description: 'False for its owner, for a robot, and for a report that was counted already.',
      }),
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

export const errorKind = z.enum(['uncaught', 'rejection', 'reported']).meta({
  description: 'An uncaught error, an unhandled rejection, or an error reported with `Spaceport.error()`.',
});

const lines = { lineBreaks: true };
const position = z.number().int().min(0).max(1_000_000_000);

const runtimeError = z
  .strictObject({
    kind: errorKind.default('uncaught'),
    message: text(1, errorLimits.messageCharacters, lines).describe('The message, as the browser gives it.'),
    source: text(1, errorLimits.sourceCharacters)
      .optional()
      .meta({ description: 'Address of the script. If absent: taken from the stack.' }),
    line: position.optional().describe('From 1.'),
    column: position.optional().describe('From 1.'),
    stack: text(0, errorLimits.stackCharacters, lines)
      .optional()
      .describe('The stack as the browser writes it, one call a line.'),
    count: z.number().int().min(1).max(1_000).default(1).meta({
      description: 'How often it happened since it was last reported.',
    }),
  })
  .meta({ id: 'RuntimeError' });
export type RuntimeError = z.output<typeof runtimeError>;

export const reportErrors = defineOperation({
  id: 'reportErrors',
  method: 'POST',
  path: '/api/player/errors',
  summary: 'Report errors of a running space to its owner: they are grouped, counted and bounded.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z.strictObject({
    session: playSession,
    errors: z
      .array(runtimeError)
      .min(1)
      .max(errorLimits.inCall)
      .describe('The errors since the last report.'),
  }),
  example: {
    body: { session: '…', errors: [{ message: 'bounce is not defined', line: 12, column: 4 }] },
  },
  answers: {
    202: z.object({
      kept: z.number().int().meta({ description: 'How many were counted; errors from robots are not.' }),
    }),
  },
  errors: ['session_over', 'rate_limited'],
});
