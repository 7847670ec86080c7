import { z } from 'zod';
import { maxPageSize } from './listing.ts';
import { digits, handle, timestamp } from './primitives.ts';

/** A board's ranking, page by page (contract §9). */
export const boardEntry = z
  .object({
    rank: z.number().int(),
    handle: z.string(),
    score: z.number(),
    submitted_at: timestamp,
    submission: z.number().int().meta({
      description: 'The id that deletes it; of the latest submission where the board keeps a sum.',
    }),
  })
  .meta({ id: 'BoardEntry' });
export type BoardEntry = z.output<typeof boardEntry>;

export const boardEntries = z
  .object({
    entries: z.array(boardEntry),
    total: z.number().int().meta({ description: 'Players in this ranking.' }),
    next: z.string().nullable(),
  })
  .meta({ id: 'BoardEntries' });
export type BoardEntries = z.output<typeof boardEntries>;

/** A ranking by its name, the one of now, or by its date: `2026-11-21`, `2026-W47`, `2026-11`. */
export const periodPattern = /^(?:all|day|week|month|\d{4}-\d{2}-\d{2}|\d{4}-W\d{2}|\d{4}-\d{2})$/u;

export const entriesQuery = z.strictObject({
  limit: digits(1, maxPageSize).default(25),
  cursor: z.string().max(200).optional().meta({ description: '`next` of the page before.' }),
  period: z
    .string()
    .regex(periodPattern, 'must be all, day, week, month, or a date like 2026-11-21, 2026-W47 or 2026-11')
    .optional()
    .meta({
      description:
        "`all`, `day`, `week` or `month` of now, or a past one by its date; the board's first where absent.",
    }),
  around: handle.optional().meta({ description: 'The entries around this player, half of them above.' }),
});
export type EntriesQuery = z.output<typeof entriesQuery>;
