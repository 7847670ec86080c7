import { z } from 'zod';
import { maxPageSize } from './listing.ts';
import { defineOperation } from './operation.ts';
import { slugParameter, text, webUrl } from './primitives.ts';
import { space, spaceTypes } from './spaces.ts';

/** Public reads, without a credential and cached for ten seconds (contract §9). */
export const maxQueryLength = 100;

/** What anyone may read of a space. `how_made` is null where its creator does not show it. */
export const publicSpace = space.omit({ state: true, live_version: true }).meta({ id: 'PublicSpace' });
export type PublicSpace = z.output<typeof publicSpace>;

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
    limit: z.coerce.number().int().min(1).max(maxPageSize).default(24),
  }),
  answers: { 200: z.object({ spaces: z.array(publicSpace), next: z.string().nullable() }) },
  errors: ['invalid', 'failed'],
});

export const readGallerySpace = defineOperation({
  id: 'readGallerySpace',
  method: 'GET',
  path: '/api/gallery/{slug}',
  summary: 'The public fields of one listed space.',
  tag: 'Gallery',
  credential: 'none',
  edge: 'plain',
  params: z.object({ slug: slugParameter }),
  answers: { 200: publicSpace },
  errors: ['invalid', 'not_found', 'failed'],
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
    maxwidth: z.coerce.number().int().min(1).optional(),
    maxheight: z.coerce.number().int().min(1).optional(),
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
  errors: ['invalid', 'not_found', 'failed'],
});
