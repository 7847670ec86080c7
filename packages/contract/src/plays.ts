import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { slugParameter } from './primitives.ts';

/** A visitor's plays of one space count once in this time. */
export const playWindowSeconds = 1_800;

export const countPlay = defineOperation({
  id: 'countPlay',
  method: 'POST',
  path: '/api/gallery/{slug}/plays',
  summary:
    'Count that a visitor has started a space: once per visitor in half an hour, from our own pages. Who played is not stored.',
  tag: 'Gallery',
  credential: 'none',
  edge: 'plain',
  params: z.object({ slug: slugParameter }),
  answers: {
    202: z.object({
      counted: z
        .boolean()
        .meta({ description: 'False for a robot, and for a play that was counted already.' }),
    }),
  },
  errors: ['not_found', 'cross_site'],
});
