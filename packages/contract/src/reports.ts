import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common, pageQuery } from './operators.ts';
import { slugParameter, text, timestamp } from './primitives.ts';
import { spaceStates } from './spaces.ts';

/** Players report a space from its page; operators look at the reports (contract §10). */
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
    reason: z.enum(reportReasons),
    message: text(0, maxReportMessage, { lineBreaks: true }).default(''),
  }),
  answers: { 202: z.object({ reported_at: timestamp }) },
  errors: ['not_found', 'cross_site', 'rate_limited'],
});

export const report = z
  .object({
    id: z.string(),
    space: z.object({
      slug: z.string(),
      title: z.string(),
      state: z.enum(spaceStates),
      owner: z.string().nullable(),
      service_url: z.string(),
    }),
    reason: z.enum(reportReasons),
    message: z.string(),
    state: z.enum(['open', 'dismissed', 'resolved']),
    note: z.string().nullable(),
    decided_by: z.string().nullable(),
    reported_at: timestamp,
    decided_at: timestamp.nullable(),
  })
  .meta({ id: 'Report' });
export type Report = z.output<typeof report>;

export const readReports = defineOperation({
  ...common,
  id: 'readReports',
  method: 'GET',
  path: '/api/operator/reports',
  summary: 'Reports by players: first the open ones, then the decided ones, each the newest first.',
  query: z.strictObject({ state: z.enum(['open', 'decided']).optional(), ...pageQuery }),
  answers: { 200: z.object({ reports: z.array(report), next: z.string().nullable() }) },
  errors: [],
});

const reportEvent = z
  .object({
    at: timestamp,
    /** What was done to the space, or `reported`. */
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

/** What an operator decides a report by. */
export const reportCase = z
  .object({
    report,
    play_url: z.string().nullable().meta({ description: 'Where it runs; null where nothing of it is live.' }),
    picture: z
      .string()
      .nullable()
      .meta({ description: 'The picture of the space that players see now; null if they see none.' }),
    open_reports: z.number().int().meta({ description: 'Open reports of this space, this one included.' }),
    all_reports: z.number().int(),
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
  params: z.object({ id: z.string().max(200) }),
  answers: { 200: reportCase },
  errors: ['not_found'],
});

export const decideReport = defineOperation({
  ...common,
  id: 'decideReport',
  method: 'POST',
  path: '/api/operator/reports/{id}',
  summary:
    'Decide a report, once. `dismiss` changes nothing. `hold`, `hide` and `remove` act on its space, and resolve every open report of it. `resolve` says that something was done already.',
  params: z.object({ id: z.string().max(200) }),
  body: z.strictObject({
    action: z.enum(['dismiss', 'resolve', 'hold', 'hide', 'remove']),
    note: text(1, 1_000, { lineBreaks: true }).meta({ description: 'Why: kept in the audit log.' }),
  }),
  answers: { 200: report },
  errors: ['not_found', 'conflict'],
});
