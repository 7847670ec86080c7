import { z } from 'zod';
import { board } from './boards.ts';
import { key } from './declared-key.ts';
import { boardEntries, entriesQuery } from './entries.ts';
import { maxPageSize } from './listing.ts';
import { defineOperation } from './operation.ts';
import {
  cursor,
  digits,
  handle,
  nextCursor,
  pageLimit,
  slugParameter,
  text,
  timestamp,
  webUrl,
} from './primitives.ts';
import { space, spaceTypes, tagSchema } from './spaces.ts';

/** Public reads, without a credential and cached for ten seconds. */
export const maxQueryLength = 100;
export const sorts = ['best', 'new', 'played'] as const;
export type Sort = (typeof sorts)[number];

/**
 * The public fields of a space. `how_made` is null if its creator does not show it. `owner` is null if its
 * creator does not show it, or if nobody has proved to own the page (`claimed` is false).
 */
export const publicSpace = space
  .omit({ state: true, live_version: true })
  .extend({ plays: z.number().int().meta({ description: 'How often it was played on the service.' }) })
  .meta({ id: 'PublicSpace' });
export type PublicSpace = z.output<typeof publicSpace>;

/** An achievement as anyone reads it. A hidden one has no title and no description. */
export const publicAchievement = z
  .object({
    key: key.describe('The name that calls use.'),
    title: z.string().nullable().describe('Null if it is hidden.'),
    description: z.string().nullable().describe('How it is earned; null if it is hidden.'),
    icon: z.string().nullable().describe('The address of a picture, or null.'),
    hidden: z.boolean().describe('True: title and description are null until a player has it.'),
    points: z.number().int().describe('How many points it gives.'),
    unlocks: z.number().int().meta({ description: 'Players who have it.' }),
  })
  .meta({ id: 'PublicAchievement' });
export type PublicAchievement = z.output<typeof publicAchievement>;

/** One space with its boards and achievements; `boards` is empty if its creator does not show them. */
export const publicSpacePage = publicSpace
  .extend({
    boards: z.array(board).describe('Empty where its creator does not show them.'),
    achievements: z.array(publicAchievement).describe('In the order of their declaration.'),
  })
  .meta({ id: 'PublicSpacePage' });
export type PublicSpacePage = z.output<typeof publicSpacePage>;

export const publicPlayer = z
  .object({
    handle: z.string().describe('The handle, as rankings show it.'),
    achievements: z
      .array(z.object({ key: key.describe('Which one.'), unlocked_at: timestamp.describe('Since when.') }))
      .meta({
        description: 'What the player has unlocked here, the newest first; hidden ones too.',
      }),
  })
  .meta({ id: 'PublicPlayer' });
export type PublicPlayer = z.output<typeof publicPlayer>;

export const readGallery = defineOperation({
  id: 'readGallery',
  method: 'GET',
  path: '/api/gallery',
  summary: 'Listed spaces: best match, newest or most played first.',
  tag: 'Gallery',
  credential: 'none',
  edge: 'plain',
  query: z.strictObject({
    q: text(0, maxQueryLength).optional().meta({
      description:
        'Words, or their beginnings, to find in title, tags, description and creator. If nothing is found, one typo in each word is allowed, and then common words are left out.',
    }),
    tag: tagSchema.optional().meta({ description: 'Only spaces with this tag.' }),
    space_type: z.enum(spaceTypes).optional().describe('Only spaces of this type.'),
    sort: z
      .enum(sorts)
      .optional()
      .describe('Best match, newest or most played first. If absent: best match with `q`, else newest.'),
    cursor: cursor(200),
    limit: pageLimit(maxPageSize, 24),
  }),
  example: { query: { q: 'moon', tag: 'puzzle' } },
  answers: {
    200: z.object({ spaces: z.array(publicSpace).describe('In the order of `sort`.'), next: nextCursor }),
  },
  more: 'A search finds at most its few hundred best matches; `sort` orders those. With a tag, `played` orders the newest thousand.',
  errors: ['rate_limited'],
});

export const readGallerySpace = defineOperation({
  id: 'readGallerySpace',
  method: 'GET',
  path: '/api/gallery/{slug}',
  summary: 'The public fields of one listed space, with its boards and achievements.',
  tag: 'Gallery',
  credential: 'none',
  edge: 'plain',
  params: z.object({ slug: slugParameter }),
  answers: { 200: publicSpacePage },
  errors: ['not_found'],
});

export const readEntries = defineOperation({
  id: 'readEntries',
  method: 'GET',
  path: '/api/gallery/{slug}/boards/{key}/entries',
  summary: "A board's ranking, from the top or around a player.",
  tag: 'Gallery',
  credential: 'none',
  edge: 'plain',
  params: z.object({ slug: slugParameter, key: key.describe('The key of the board.') }),
  query: entriesQuery,
  example: { query: { limit: 10, period: 'week' } },
  answers: { 200: boardEntries },
  errors: ['not_found', 'no_such_player'],
});

export const readGalleryPlayer = defineOperation({
  id: 'readGalleryPlayer',
  method: 'GET',
  path: '/api/gallery/{slug}/players/{handle}',
  summary: 'What a player has unlocked in a listed space. A banned player is `no_such_player`.',
  tag: 'Gallery',
  credential: 'none',
  edge: 'plain',
  params: z.object({ slug: slugParameter, handle }),
  answers: { 200: publicPlayer },
  errors: ['not_found', 'no_such_player'],
});

/** oEmbed 1.0 (oembed.com §2.3) as a link: only the service itself may frame its pages. */
export const readOembed = defineOperation({
  id: 'readOembed',
  method: 'GET',
  path: '/oembed',
  summary: "The oEmbed description of a space's page.",
  tag: 'Gallery',
  credential: 'none',
  edge: 'plain',
  query: z.object({
    url: webUrl.describe("The address of a space's page on the service."),
    format: z.literal('json').optional().describe('Only JSON is supported.'),
    maxwidth: digits(1).optional().describe('The largest width of the picture, in pixels.'),
    maxheight: digits(1).optional().describe('The largest height of the picture, in pixels.'),
  }),
  example: { query: { url: '…/s/moon-hopper' } },
  answers: {
    200: z.object({
      version: z.literal('1.0').describe('Of oEmbed.'),
      type: z.literal('link').describe('No frame: only the service frames its spaces.'),
      title: z.string().describe('The name of the space.'),
      author_name: z.string().optional().describe('Its owner.'),
      author_url: z.string().optional().describe('The page of its owner.'),
      provider_name: z.string().describe('The name of the service.'),
      provider_url: z.string().describe('The address of the service.'),
      cache_age: z.number().int().describe('For how many seconds it may be cached.'),
      thumbnail_url: z.string().optional().describe('A picture of the space.'),
      thumbnail_width: z.number().int().optional().describe('In pixels.'),
      thumbnail_height: z.number().int().optional().describe('In pixels.'),
    }),
  },
  errors: ['not_found'],
});
