import { z } from 'zod';
import { ownSpace } from './listing.ts';
import { defineOperation } from './operation.ts';
import { slugParameter, timestamp } from './primitives.ts';
import { pixels } from './spaces.ts';

/** A picture of the owner's choice in place of the clip. */
export const coverTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export const maxCoverBytes = 4 * 1024 * 1024;
export const coversPerHour = 20;

const common = {
  path: '/api/spaces/{slug}/cover',
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: z.object({ slug: slugParameter }),
  answers: { 200: ownSpace },
} as const;

export const putCover = defineOperation({
  ...common,
  id: 'putCover',
  method: 'PUT',
  summary: `Show a picture of your own in place of the clip, ${coversPerHour} times an hour. The service encodes it anew, in 16:9, and never serves the file that was sent.`,
  body: z.instanceof(Uint8Array, { error: 'must be a picture: image/png, image/jpeg or image/webp' }),
  media: coverTypes,
  maxBodyBytes: maxCoverBytes,
  errors: ['forbidden', 'not_found', 'removed', 'held', 'rate_limited'],
});

export const deleteCover = defineOperation({
  ...common,
  id: 'deleteCover',
  method: 'DELETE',
  summary: 'Delete the cover: the clip is shown again.',
  errors: ['forbidden', 'not_found', 'removed', 'held'],
});

/** One of the newest pictures that the service took of a space. */
export const take = z
  .object({
    take: z.number().int().describe('Its number: what `chooseCover` takes.'),
    url: z.string().describe('Where the picture is.'),
    ...pixels,
    taken_at: timestamp.describe('When it was taken.'),
  })
  .meta({ id: 'Take' });
export type Take = z.output<typeof take>;

export const readTakes = defineOperation({
  id: 'readTakes',
  method: 'GET',
  path: '/api/spaces/{slug}/takes',
  summary: 'The newest pictures of a space, up to three, newest first.',
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: common.params,
  answers: {
    200: z.object({
      after_seconds: z.number().int().meta({
        description: 'How many seconds after the page has loaded pictures are taken; `recapture` changes it.',
      }),
      takes: z.array(take).describe('At most three, newest first.'),
    }),
  },
  errors: ['not_found'],
});

export const chooseCover = defineOperation({
  ...common,
  id: 'chooseCover',
  method: 'POST',
  summary: 'Show one of the taken pictures instead of the newest, also after newer ones are taken.',
  body: z.strictObject({ take: z.number().int().min(1).meta({ description: 'One that `takes` names.' }) }),
  example: { body: { take: 1 } },
  errors: ['forbidden', 'not_found', 'removed', 'held', 'rate_limited'],
});
