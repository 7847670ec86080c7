import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { digits, slugParameter } from './primitives.ts';

/** Plays, players and scores of a space by day, for its creator's charts. */
export const maxActivityDays = 90;

const counts = {
  plays: z.number().int().describe('How often it was started.'),
  players: z.number().int().meta({ description: 'Different players who posted a score that day.' }),
  scores: z.number().int().meta({ description: 'Scores posted.' }),
};

export const activityDay = z
  .object({ day: z.string().meta({ format: 'date', description: 'In UTC.' }), ...counts })
  .meta({ id: 'ActivityDay' });
export type ActivityDay = z.output<typeof activityDay>;

export const activity = z
  .object({
    days: z.array(activityDay).meta({ description: 'Oldest first, without gaps; the last one is today.' }),
    before: z.object(counts).meta({
      description: 'The sums of as many days before these; a player counts once for each day.',
    }),
  })
  .meta({ id: 'Activity' });
export type Activity = z.output<typeof activity>;

export const readActivity = defineOperation({
  id: 'readActivity',
  method: 'GET',
  path: '/api/spaces/{slug}/activity',
  summary: 'Plays, players and scores of a space for each of the last days; the sandbox does not count.',
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: z.object({ slug: slugParameter }),
  query: z.strictObject({
    days: digits(1, maxActivityDays).default(30).describe('How many days, today included.'),
  }),
  example: { query: { days: 7 } },
  answers: { 200: activity },
  errors: ['not_found'],
});
