import { z } from 'zod';
import { board } from './boards.ts';
import { key } from './declarations.ts';
import { boardEntries, entriesQuery } from './entries.ts';
import { maxPageSize } from './listing.ts';
import { defineOperation } from './operation.ts';
import { digits, handle, slugParameter, text, timestamp, webUrl } from './primitives.ts';
import { space, spaceTypes } from './spaces.ts';

/** Public reads, without a credential and cached for ten seconds (contract §9). */
export const maxQueryLength = 100;

/**
 * What anyone may read of a space. `how_made` is null where its creator does not show it, `owner` also where nobody has shown
 * that the page is theirs (`claimed` is false).
 */
export const publicSpace = space
  .omit({ state: true, live_version: true })
  .extend({ plays: z.number().int().meta({ description: 'How often it was played on the service.' }) })
  .meta({ id: 'PublicSpace' });
export type PublicSpace = z.output<typeof publicSpace>;

/** An achievement as anyone reads it: a hidden one says nothing but that it is there. */
export const publicAchievement = z
  .object({
    key,
    title: z.string().nullable(),
    description: z.string().nullable(),
    icon: z.string().nullable(),
    hidden: z.boolean(),
    points: z.number().int(),
    unlocks: z.number().int().meta({ description: 'Players who have it.' }),
  })
  .meta({ id: 'PublicAchievement' });
export type PublicAchievement = z.output<typeof publicAchievement>;

/** One space with what is won in it; `boards` is empty where its creator does not show them. */
export const publicSpacePage = publicSpace
  .extend({ boards: z.array(board), achievements: z.array(publicAchievement) })
  .meta({ id: 'PublicSpacePage' });
export type PublicSpacePage = z.output<typeof publicSpacePage>;

export const publicPlayer = z
  .object({
    handle: z.string(),
    achievements: z.array(z.object({ key, unlocked_at: timestamp })).meta({
      description: 'What the player has unlocked here, the newest first; hidden ones too.',
    }),
  })
  .meta({ id: 'PublicPlayer' });
export type PublicPlayer = z.output<typeof publicPlayer>;

export const readGallery = defineOperation({
  id: 'readGallery',
  method: 'GET',
  path: '/api/gallery',
  summary: 'Listed spaces, newest or most played first.',
  tag: 'Gallery',
  credential: 'none',
  edge: 'plain',
  query: z.strictObject({
    q: text(0, maxQueryLength).optional().meta({ description: 'Words of the title or the description.' }),
    space_type: z.enum(spaceTypes).optional(),
    sort: z.enum(['new', 'played']).default('new'),
    cursor: z.string().max(200).optional().meta({ description: '`next` of the page before.' }),
    limit: digits(1, maxPageSize).default(24),
  }),
  answers: { 200: z.object({ spaces: z.array(publicSpace), next: z.string().nullable() }) },
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
  params: z.object({ slug: slugParameter, key }),
  query: entriesQuery,
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
    url: webUrl,
    format: z.literal('json').optional(),
    maxwidth: digits(1).optional(),
    maxheight: digits(1).optional(),
  }),
  answers: {
    200: z.object({
      version: z.literal('1.0'),
      type: z.literal('link'),
      title: z.string(),
      author_name: z.string().optional(),
      author_url: z.string().optional(),
      provider_name: z.string(),
      provider_url: z.string(),
      cache_age: z.number().int(),
      thumbnail_url: z.string().optional(),
      thumbnail_width: z.number().int().optional(),
      thumbnail_height: z.number().int().optional(),
    }),
  },
  errors: ['not_found'],
});
