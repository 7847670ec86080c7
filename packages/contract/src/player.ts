import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { timestamp } from './primitives.ts';

/**
 * What the page of a space calls for whoever plays it. Who plays is an account by its browser's session, or a guest by a
 * key in the authorization header: `Guest` and 256 bits in base64url, made and kept by the page. Taken from our own pages alone.
 */
export const guestScheme = 'Guest';
export const guestKeyPattern = /^[A-Za-z0-9_-]{43}$/u;

/** Where something is played: what is live and listed, or the sandbox of a preview or an unlisted page. */
export const playEnv = z.enum(['live', 'sandbox']);

export const playedSpace = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description:
      "A space's slug, or the label of a preview or an unlisted page, which its host begins with: those play in the sandbox.",
    examples: ['moon-hopper', 'p--3k9w0q…'],
  });

const sealedText = z.string().min(1).max(1_000);
export const playSession = sealedText.meta({ description: '`session` of an opened session.' });

export const sessionPlayer = z
  .object({
    id: z.string().meta({
      description:
        'The player under a name that only this space knows them by: `sub` of a player token. Of a guest, the same as long as the key is.',
    }),
    handle: z.string().nullable(),
    guest: z.boolean(),
  })
  .meta({ id: 'SessionPlayer' });
export type SessionPlayer = z.output<typeof sessionPlayer>;

const tag = 'Players';

export const openPlaySession = defineOperation({
  id: 'openPlaySession',
  method: 'POST',
  path: '/api/player/sessions',
  summary:
    'Say that a player has opened a space: counts the play, and stamps its start. Nothing is kept of who it was.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z.strictObject({
    space: playedSpace,
    version: z.number().int().min(1).nullable().meta({
      description:
        'The number of the version that was loaded, one that the space shows or showed; null for a page that runs elsewhere.',
    }),
  }),
  answers: {
    200: z.object({
      session: z.string(),
      env: playEnv,
      player: sessionPlayer,
      server_time: timestamp,
    }),
  },
  errors: ['not_found', 'space_unavailable'],
});
