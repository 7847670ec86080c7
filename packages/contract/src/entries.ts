import { z } from 'zod';
import { maxPageSize } from './listing.ts';
import { cursor, handle, nextCursor, pageLimit, timestamp } from './primitives.ts';

/** A board's ranking, page by page (contract §9). */
export const boardEntry = z
  .object({
    rank: z.number().int().describe('From 1.'),
    handle: z.string().describe('Whose it is.'),
    score: z.number().describe('What stands for the player.'),
    submitted_at: timestamp.describe('When it was posted.'),
    submission: z.number().int().meta({
      description: 'The id that deletes it; of the latest submission where the board keeps a sum.',
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
        "`all`, `day`, `week` or `month` of now, or a past one by its date; the board's first where absent.",
    }),
  around: handle.optional().meta({ description: 'The entries around this player, half of them above.' }),
});
export type EntriesQuery = z.output<typeof entriesQuery>;
