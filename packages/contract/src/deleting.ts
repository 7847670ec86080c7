import { z } from 'zod';
import { ownSpace, spaceParams } from './listing.ts';
import { defineOperation } from './operation.ts';
import { timestamp, yes } from './primitives.ts';

/** Taking spaces offline and back online, deleting and restoring them. */
const ownSpaceAction = {
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: spaceParams,
} as const;

export const deleteSpace = defineOperation({
  ...ownSpaceAction,
  id: 'deleteSpace',
  method: 'DELETE',
  path: '/api/spaces/{slug}',
  summary:
    'Delete a space: its page and its addresses answer 410 from now on. It can be restored until `restorable_until`; then its versions, boards, scores and all data of players in it are deleted. Its slug is never reused.',
  answers: {
    200: z.object({
      deleted: yes,
      restorable_until: timestamp.describe('Until when `restoreDeletedSpace` brings it back.'),
    }),
  },
  errors: ['forbidden', 'not_found'],
});

export const restoreDeletedSpace = defineOperation({
  ...ownSpaceAction,
  id: 'restoreDeletedSpace',
  method: 'POST',
  path: '/api/spaces/{slug}/restore',
  summary: 'Bring a deleted space back as it was. `conflict` where it is not deleted.',
  answers: { 200: ownSpace },
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const takeSpaceOffline = defineOperation({
  ...ownSpaceAction,
  id: 'takeSpaceOffline',
  method: 'POST',
  path: '/api/spaces/{slug}/offline',
  summary:
    "Take a space offline, until `online`: its page says so, its address answers 410, it is in no list. Previews still work. An operator's hold, hiding or removal stays in force.",
  answers: { 200: ownSpace },
  errors: ['forbidden', 'not_found'],
});

export const putSpaceOnline = defineOperation({
  ...ownSpaceAction,
  id: 'putSpaceOnline',
  method: 'POST',
  path: '/api/spaces/{slug}/online',
  summary: 'Put a space online again. It stays held, hidden or removed if an operator did that.',
  answers: { 200: ownSpace },
  errors: ['forbidden', 'not_found'],
});
