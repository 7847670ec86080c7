import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common, pageQuery } from './operators.ts';
import { nextCursor, timestamp } from './primitives.ts';

export const auditEntry = z
  .object({
    id: z.string().describe('The id of the entry.'),
    at: timestamp.describe('When.'),
    actor: z.string().meta({ description: 'A handle; `admin` for a call on the machine itself.' }),
    action: z.string().describe('What was done: `hold`, `ban`, ….'),
    subject: z
      .object({
        kind: z
          .enum(['space', 'version', 'account', 'host', 'report', 'file'])
          .describe('The kind of thing.'),
        id: z.string().describe('Its id.'),
        name: z.string().nullable().meta({
          description:
            'A slug, `slug#number`, a handle, a host or the SHA-256 of a file; null if it is gone.',
        }),
      })
      .describe('The thing that was changed.'),
    reason: z.string().nullable().describe('The reason that the operator gave.'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof auditEntry>;

export const readAudit = defineOperation({
  ...common,
  id: 'readAudit',
  method: 'GET',
  path: '/api/operator/audit',
  summary: 'Who did what, when and why, newest first.',
  query: z.strictObject(pageQuery),
  answers: { 200: z.object({ entries: z.array(auditEntry).describe('Newest first.'), next: nextCursor }) },
  errors: [],
});
