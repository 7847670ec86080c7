import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { playedSpace } from './player.ts';

/** For the page that frames a space: it tells the player when there is a newer version. */
export const readShownVersion = defineOperation({
  id: 'readShownVersion',
  method: 'GET',
  path: '/api/player/version',
  summary: 'The version that a space shows to visitors now.',
  tag: 'Players',
  credential: 'player',
  edge: 'plain',
  query: z.strictObject({ space: playedSpace }),
  example: { query: { space: 'moon-hopper' } },
  answers: {
    200: z.object({
      version: z
        .number()
        .int()
        .nullable()
        .meta({ description: 'Its number; null for a page that runs elsewhere.' }),
    }),
  },
  errors: ['not_found', 'space_unavailable'],
});
