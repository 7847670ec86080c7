import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { digits, handle, slugParameter, timestamp } from './primitives.ts';

/** What a creator does about players and their scores (interface, "Moderation"; contract §6). */
const spaceParams = z.object({ slug: slugParameter });
const banBody = z.strictObject({ handle });

export const deleteSubmission = defineOperation({
  id: 'deleteSubmission',
  method: 'DELETE',
  path: '/api/spaces/{slug}/scores/{id}',
  summary: 'Delete a submission; its player is ranked again from those that remain.',
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: z.object({
    slug: slugParameter,
    id: digits(1).meta({
      description: "A submission's id: a positive integer.",
    }),
  }),
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['forbidden', 'not_found'],
  statuses: { invalid: 400 },
});

export const readBans = defineOperation({
  id: 'readBans',
  method: 'GET',
  path: '/api/spaces/{slug}/bans',
  summary: 'The players banned from the boards of a space, the newest ban first.',
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: spaceParams,
  answers: { 200: z.object({ bans: z.array(z.object({ handle: z.string(), banned_at: timestamp })) }) },
  errors: ['not_found'],
});

export const banPlayer = defineOperation({
  id: 'banPlayer',
  method: 'POST',
  path: '/api/spaces/{slug}/bans',
  summary: 'Ban a player from every board of the space: out of every ranking at once.',
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: spaceParams,
  body: banBody,
  answers: { 200: z.object({ banned: z.literal(true), handle: z.string() }) },
  errors: ['forbidden', 'not_found', 'no_such_player'],
});

export const liftBan = defineOperation({
  id: 'liftBan',
  method: 'DELETE',
  path: '/api/spaces/{slug}/bans',
  summary: "Lift a ban: the player's entries are ranked again.",
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: spaceParams,
  body: banBody,
  answers: { 200: z.object({ banned: z.literal(false), handle: z.string() }) },
  errors: ['forbidden', 'not_found', 'no_such_player'],
});
