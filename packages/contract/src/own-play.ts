import { z } from 'zod';
import { contentBytes, contentData, shownContent } from './content.ts';
import { boardMetrics } from './declarations.ts';
import { defineOperation } from './operation.ts';
import { spaceTitle } from './player.ts';
import { idParameter, timestamp, yes } from './primitives.ts';
import { listedSave, save, saveHead } from './saves.ts';

/**
 * All records of a player on the service, for that player only: of live play, and in the export of sandboxes
 * too.
 */
const space = spaceTitle;

const { id, kind, title, likes, created_at } = shownContent;
const made = z.object({ id, space, kind, title, likes, bytes: contentBytes, created_at });

export const ownPlay = z
  .object({
    public: z.boolean().meta({
      description:
        'Whether others see what the player has unlocked, beside the rankings. A ranking shows its entries in any case.',
    }),
    played: z
      .array(
        z.object({
          space,
          first_at: timestamp.describe('When it was first opened.'),
          last_at: timestamp.describe('When it was last played.'),
          seconds: z.number().int().meta({
            description: 'Time between openings, scores and saves that were no more than five minutes apart.',
          }),
        }),
      )
      .describe('The spaces that were played, the latest first.'),
    scores: z
      .array(
        z.object({
          space,
          board: z
            .object({
              key: z.string().describe('Its key.'),
              title: z.string().describe('The text that players see.'),
              metric: z.enum(boardMetrics).describe('What a score is.'),
              unit: z.string().nullable().describe('Shown after a score, or null.'),
              decimals: z.number().int().describe('How many are shown.'),
            })
            .describe('The board.'),
          score: z.number().describe('My score that counts.'),
          rank: z.number().int().describe('From 1.'),
          entries: z.number().int().describe('Players in the ranking.'),
        }),
      )
      .describe('My entries.'),
    achievements: z
      .array(
        z.object({
          space,
          key: z.string().describe('Its key.'),
          title: z.string().describe('The text that players see.'),
          points: z.number().int().describe('How many points it gives.'),
          unlocked_at: timestamp.describe('Since when.'),
        }),
      )
      .describe('What I unlocked, the newest first.'),
    made: z.array(made).describe('What I made for others and published, the newest first.'),
    saves: z.array(listedSave.extend({ space })).describe('The saves, the newest first.'),
    losers: z
      .array(
        listedSave.omit({ version: true }).extend({
          id: z.string().describe('The id that other calls take.'),
          space,
          lost_at: timestamp.describe('When it lost.'),
          gone_at: timestamp.describe('When it is deleted.'),
        }),
      )
      .meta({ description: 'Saves that lost a conflict, newest first.' }),
  })
  .meta({ id: 'OwnPlay' });
export type OwnPlay = z.output<typeof ownPlay>;

type OwnAchievement = OwnPlay['achievements'][number];
/** An achievement of a player as others see it: its title is null if it is hidden. */
export type PublicAchievement = Omit<OwnAchievement, 'title'> & { title: OwnAchievement['title'] | null };
/** The part of a player's records that others see on the player's page. */
export type PublicPlay = Pick<OwnPlay, 'scores'> & { achievements: PublicAchievement[] };

const common = { tag: 'Players', credential: 'session', edge: 'plain' } as const;
const deleted = { 200: z.object({ deleted: yes }) };

export const readOwnPlay = defineOperation({
  ...common,
  id: 'readOwnPlay',
  method: 'GET',
  path: '/api/player/me',
  summary:
    'What I played, my scores with their ranks, achievements, what I made, saves, and saves that lost.',
  answers: { 200: ownPlay },
  errors: [],
});

export const changeOwnPlay = defineOperation({
  ...common,
  id: 'changeOwnPlay',
  method: 'PATCH',
  path: '/api/player/me',
  summary: 'Show what I have unlocked to others, or keep it to myself.',
  body: z.strictObject({ public: z.boolean().describe('Whether others see it.') }),
  example: { body: { public: false } },
  answers: { 200: z.object({ public: z.boolean().describe('The setting after the change.') }) },
  errors: [],
});

export const exportOwnPlay = defineOperation({
  ...common,
  id: 'exportOwnPlay',
  method: 'GET',
  path: '/api/player/me/export',
  summary:
    'All my play data as one JSON file, with every score, stat and save, and what I have published and liked.',
  answers: {
    200: z.looseObject({}).meta({
      description:
        'Lists by their names: played, scores (with the replays that are kept, in base64), stats, achievements, saves, losers, content, likes.',
    }),
  },
  errors: [],
});

export const forgetOwnPlay = defineOperation({
  ...common,
  id: 'forgetOwnPlay',
  method: 'DELETE',
  path: '/api/player/me',
  summary:
    'Delete all my play data, everywhere and at once, also what I have published: others move up in the rankings. The account stays.',
  answers: deleted,
  errors: [],
});

const ofMade = {
  path: '/api/player/me/content/{id}',
  params: z.object({ id: idParameter }),
} as const;

export const readMade = defineOperation({
  ...common,
  ...ofMade,
  id: 'readMade',
  method: 'GET',
  summary: 'One thing that I made in any space, with what it holds.',
  answers: { 200: made.extend({ data: contentData }).meta({ id: 'OwnMade' }) },
  errors: ['not_found'],
});

export const removeMade = defineOperation({
  ...common,
  ...ofMade,
  id: 'removeMade',
  method: 'DELETE',
  summary: 'Take back what I made in any space: it is deleted, with its likes.',
  more: 'It works also when the space is offline, or I am banned from it.',
  answers: deleted,
  errors: ['not_found'],
});

const ofLoser = {
  path: '/api/player/me/losers/{id}',
  params: z.object({ id: z.string().max(100).describe('The id of a save that lost.') }),
} as const;

export const readLoser = defineOperation({
  ...common,
  ...ofLoser,
  id: 'readLoser',
  method: 'GET',
  summary: 'The data of a save that lost.',
  answers: { 200: save.omit({ version: true }) },
  errors: ['not_found'],
});

export const restoreLoser = defineOperation({
  ...common,
  ...ofLoser,
  path: '/api/player/me/losers/{id}/restore',
  id: 'restoreLoser',
  method: 'POST',
  summary: 'Restore a save that lost: the save that is in its slot becomes one that lost.',
  answers: { 200: saveHead },
  errors: ['not_found', 'too_large'],
});

export const deleteLoser = defineOperation({
  ...common,
  ...ofLoser,
  id: 'deleteLoser',
  method: 'DELETE',
  summary: 'Delete a save that lost.',
  answers: deleted,
  errors: ['not_found'],
});
