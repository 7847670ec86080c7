import { z } from 'zod';
import { maxPageSize } from './listing.ts';
import { cursor, handle, nextCursor, pageLimit, timestamp } from './primitives.ts';

/** A board's ranking, page by page. */
export const boardEntry = z
  .object({
    rank: z.number().int().describe('From 1.'),
    handle: z.string().describe('The handle of the player.'),
    score: z.number().describe('The score that counts for the player.'),
    submitted_at: timestamp.describe('When it was posted.'),
    submission: z.number().int().meta({
      description: 'The id to delete it by; if the board keeps a sum, that of the latest submission.',
    }),
  })
  .meta({ id: 'BoardEntry' });
export type BoardEntry = z.output<typeof boardEntry>;

export const boardEntries = z
  .object({
    entries: z.array(boardEntry).describe('By rank.'),
    total: z.number().int().meta({ description: 'Players in this ranking.' }),
    next: nextCursor,
  })
  .meta({ id: 'BoardEntries' });
export type BoardEntries = z.output<typeof boardEntries>;

/**
 * A ranking: the current one by name (`day`), or a past one by date (`2026-11-21`, `2026-W47`, `2026-11`).
 */
export const periodPattern = /^(?:all|day|week|month|\d{4}-\d{2}-\d{2}|\d{4}-W\d{2}|\d{4}-\d{2})$/u;

export const entriesQuery = z.strictObject({
  limit: pageLimit(maxPageSize, 25),
  cursor: cursor(200),
  period: z
    .string()
    .regex(periodPattern, 'must be all, day, week, month, or a date like 2026-11-21, 2026-W47 or 2026-11')
    .optional()
    .meta({
      description:
        "`all`, the current `day`, `week` or `month`, or a past one by its date. If absent: the board's first.",
    }),
  around: handle.optional().meta({ description: 'The entries around this player, half of them above.' }),
});
export type EntriesQuery = z.output<typeof entriesQuery>;
