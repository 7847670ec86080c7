import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { guestKeyPattern, playEnv, spaceTitle } from './player.ts';

/** The records that an account took over from its guest in one space. */
export const adoptedSpace = z
  .object({
    space: spaceTitle,
    env: playEnv.describe('Where it was played.'),
    scores: z
      .array(
        z.object({
          board: z.string().describe('The key of the board.'),
          score: z.number().describe('The score that counts now.'),
          rank: z.number().int().describe('From 1.'),
        }),
      )
      .meta({ description: 'The scores that count for the account now.' }),
    stats: z.array(z.string()).meta({ description: 'Keys of the stats that changed.' }),
    achievements: z.array(z.string()).meta({ description: 'Keys of the achievements that are new.' }),
    saves: z.array(z.string()).meta({ description: 'Slots that now hold the save of the guest.' }),
    kept: z.array(z.string()).meta({
      description:
        'Slots in which guest and account had different saves: the newer stays, the other is kept on the player’s page.',
    }),
  })
  .meta({ id: 'AdoptedSpace' });
export type AdoptedSpace = z.output<typeof adoptedSpace>;

export const adoptGuest = defineOperation({
  id: 'adoptGuest',
  method: 'POST',
  path: '/api/player/adopt',
  summary:
    'Take over what somebody played as a guest before they signed in: the better score, the larger stat (on boards and of stats that add up: the sum), every unlock, the newer save. Sending it again changes nothing.',
  tag: 'Players',
  credential: 'session',
  edge: 'plain',
  body: z.strictObject({
    guest_key: z
      .string()
      .regex(guestKeyPattern, 'must be a guest’s key: 43 characters of base64url')
      .meta({ description: 'The key that the page made for the guest.' }),
  }),
  example: { body: { guest_key: 'Zm9yIGFuIGV4YW1wbGUsIG5vYm9keSBwbGF5cyBieQA' } },
  answers: {
    200: z.object({
      adopted: z.array(adoptedSpace).meta({ description: 'The spaces from which something was taken over.' }),
      repeated: z.boolean().meta({ description: 'True if the account had adopted the guest before.' }),
      waiting: z.number().int().meta({
        description: 'Scores that are posted once the account has a handle, which rankings need.',
      }),
    }),
  },
  errors: ['conflict', 'rate_limited'],
});
