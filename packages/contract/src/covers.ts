import { z } from 'zod';
import { ownSpace } from './listing.ts';
import { defineOperation } from './operation.ts';
import { slugParameter } from './primitives.ts';

/** A picture of the owner's own in place of the clip (contract §11). */
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
