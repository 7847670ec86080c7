import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common, judgedSpace, message, pageQuery } from './operators.ts';
import { idParameter, nextCursor, slugParameter, text, timestamp } from './primitives.ts';

/** Players report a space from its page; operators look at the reports. */
export const reportReasons = [
  'harmful',
  'malware',
  'phishing',
  'sexual',
  'violence',
  'hate',
  'privacy',
  'copyright',
  'spam',
  'broken',
  'other',
] as const;
export const maxReportMessage = 1_000;

export const reportSpace = defineOperation({
  id: 'reportSpace',
  method: 'POST',
  path: '/api/gallery/{slug}/report',
  summary: 'Report a space to the operators. Only the message is kept, and nothing about who sent it.',
  tag: 'Gallery',
  credential: 'none',
  edge: 'plain',
  params: z.object({ slug: slugParameter }),
  body: z.strictObject({
    reason: z.enum(reportReasons).describe('What it is about.'),
    message: text(0, maxReportMessage, { lineBreaks: true })
      .default('')
      .describe('What is wrong, for a person to read.'),
  }),
  example: { body: { reason: 'broken', message: 'It stays black.' } },
  answers: { 202: z.object({ reported_at: timestamp.describe('When it arrived.') }) },
  errors: ['not_found', 'cross_site', 'rate_limited'],
});

export const report = z
  .object({
    id: z.string().describe('The id that other calls take.'),
    space: judgedSpace,
    content: z
      .object({
        id: z.string().describe('Its id.'),
        kind: z.string().nullable().describe('The kind of thing, as the space names it.'),
        title: z.string().nullable().describe('The title that its player wrote; may be empty.'),
        handle: z.string().nullable().describe('The handle of its maker.'),
      })
      .nullable()
      .meta({
        description:
          'What a player made, if the report is about that and not about the space. Once it is deleted, all but the id is null.',
      }),
    reason: z.enum(reportReasons).describe('What it is about.'),
    message: z.string().describe('The message as it was sent; may be empty.'),
    state: z.enum(['open', 'dismissed', 'resolved']).describe('Its state.'),
    note: z.string().nullable().describe('Why it was decided so; null while it is open.'),
    decided_by: z.string().nullable().describe('The handle of the operator, or null.'),
    reported_at: timestamp.describe('When it arrived.'),
    decided_at: timestamp.nullable().describe('Null while it is open.'),
  })
  .meta({ id: 'Report' });
export type Report = z.output<typeof report>;

export const readReports = defineOperation({
  ...common,
  id: 'readReports',
  method: 'GET',
  path: '/api/operator/reports',
  summary: 'Reports by players: open ones first, then decided ones, both newest first.',
  query: z.strictObject({
    state: z.enum(['open', 'decided']).optional().describe('Only reports in this state. If absent: all.'),
    ...pageQuery,
  }),
  answers: { 200: z.object({ reports: z.array(report).describe('The open ones first.'), next: nextCursor }) },
  errors: [],
});

const reportEvent = z
  .object({
    at: timestamp.describe('When.'),
    /** The state of the space after an operator's action, or `reported`. */
    what: z.string().meta({
      description: 'An action of operators (`hold`, `release`, …) or `reported`.',
    }),
    by: z
      .string()
      .nullable()
      .meta({ description: 'The operator; null for reports, whose senders are not kept.' }),
    text: z.string().nullable().meta({ description: 'Why, or what the report says.' }),
  })
  .meta({ id: 'ReportEvent' });

/** The facts from which an operator decides a report. */
export const reportCase = z
  .object({
    report: report.describe('The report itself.'),
    content_data: z.unknown().meta({
      description:
        'The data of what the player made; null if it is deleted, or the report is about the space.',
    }),
    play_url: z.string().nullable().meta({ description: 'Where it runs; null if no version is live.' }),
    picture: z
      .string()
      .nullable()
      .meta({ description: 'The picture of the space that players see now; null if they see none.' }),
    open_reports: z.number().int().meta({ description: 'Open reports of this space, this one included.' }),
    all_reports: z.number().int().describe('Every report of this space so far.'),
    history: z.array(reportEvent).meta({
      description: 'Other reports of the space and what operators did with it, newest first, at most 30.',
    }),
  })
  .meta({ id: 'ReportCase' });
export type ReportCase = z.output<typeof reportCase>;

export const readReport = defineOperation({
  ...common,
  id: 'readReport',
  method: 'GET',
  path: '/api/operator/reports/{id}',
  summary:
    'One report with what an operator needs to decide it: picture, play link, and what was reported and done before.',
  params: z.object({ id: idParameter }),
  answers: { 200: reportCase },
  errors: ['not_found'],
});

/** Decisions of which the owner of the space is told: only these take a `message`. */
export const toldDecisions: ReadonlySet<string> = new Set(['hold', 'hide', 'remove', 'ban']);

export const decideReport = defineOperation({
  ...common,
  id: 'decideReport',
  method: 'POST',
  path: '/api/operator/reports/{id}',
  summary:
    'Decide a report, once. `dismiss` changes nothing, and `dismiss_all` neither: it closes every open report about the same thing. `hold`, `hide` and `remove` act on its space, `remove_content` deletes what a player made in it; each resolves every open report about the same thing. `ban` bans the owner of its space, and resolves the reports of all their spaces. `resolve` says that something was done already.',
  params: z.object({ id: idParameter }),
  body: z.strictObject({
    action: z
      .enum(['dismiss', 'dismiss_all', 'resolve', 'remove_content', 'hold', 'hide', 'remove', 'ban'])
      .describe('The decision.'),
    note: text(1, 1_000, { lineBreaks: true }).meta({ description: 'Why: kept in the audit log.' }),
    message,
  }),
  example: { body: { action: 'dismiss', note: 'It works here.' } },
  answers: { 200: report },
  errors: ['not_found', 'conflict'],
});
