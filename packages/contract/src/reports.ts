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
  summary: 'Report a space to the operators. Nothing of who reports is kept but what the message says.',
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
  summary: 'What players reported: open ones first, newest first among them and among the decided.',
  query: z.strictObject({ state: z.enum(['open', 'decided']).optional(), ...pageQuery }),
  answers: { 200: z.object({ reports: z.array(report), next: z.string().nullable() }) },
  errors: [],
});

export const decideReport = defineOperation({
  ...common,
  id: 'decideReport',
  method: 'POST',
  path: '/api/operator/reports/{id}',
  summary: 'Close a report: dismissed, or resolved by what was done about it. Once.',
  params: z.object({ id: z.string().max(200) }),
  body: z.strictObject({
    action: z.enum(['dismiss', 'resolve']),
    note: text(1, 1_000, { lineBreaks: true }).meta({ description: 'Why: kept in the audit log.' }),
  }),
  answers: { 200: report },
  errors: ['not_found', 'conflict'],
});
