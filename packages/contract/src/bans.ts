import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { handle, slugParameter, timestamp, yes } from './primitives.ts';

const spaceParams = z.object({ slug: slugParameter });
const banBody = z.strictObject({ handle });

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
  answers: {
    200: z.object({
      bans: z
        .array(
          z.object({
            handle: z.string().describe('The handle of the banned player.'),
            banned_at: timestamp.describe('Since when.'),
          }),
        )
        .describe('The newest first.'),
    }),
  },
  errors: ['not_found'],
});

export const banPlayer = defineOperation({
  id: 'banPlayer',
  method: 'POST',
  path: '/api/spaces/{slug}/bans',
  summary:
    'Ban a player from a space: at once the player leaves every ranking and every list of what players made.',
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: spaceParams,
  body: banBody,
  example: { body: { handle: 'ada' } },
  answers: {
    200: z.object({ banned: yes, handle: z.string().describe('The handle of the banned player.') }),
  },
  errors: ['forbidden', 'not_found', 'no_such_player'],
});

export const liftBan = defineOperation({
  id: 'liftBan',
  method: 'DELETE',
  path: '/api/spaces/{slug}/bans',
  summary: "Lift a ban: the player's entries are ranked again, and what they made is shown.",
  tag: 'Moderation',
  credential: 'token',
  scope: 'moderate',
  edge: 'plain',
  params: spaceParams,
  body: banBody,
  example: { body: { handle: 'ada' } },
  answers: {
    200: z.object({
      banned: z.literal(false).describe('Always false.'),
      handle: z.string().describe('The handle of the player whose ban was lifted.'),
    }),
  },
  errors: ['forbidden', 'not_found', 'no_such_player'],
});
