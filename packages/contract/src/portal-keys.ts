import { z } from 'zod';
import { key } from './declared-key.ts';

const mostNumbers = 50;

/** A map from a portal's numbers to the space's keys. */
const keysByNumber = (what: string) =>
  z
    .record(z.string().regex(/^\d{1,12}$/u, 'must be a number of the portal'), key)
    .refine((map) => Object.keys(map).length <= mostNumbers, `must have at most ${mostNumbers} entries`)
    .optional()
    .meta({ description: `${what} Default: none` });

/**
 * For games that call a portal's server: their id there, and the space's keys for the portal's numbers. None
 * of this is secret: the game's own files contain it, and so does the script that answers in the server's
 * place.
 */
export const portalKeys = z
  .strictObject({
    newgrounds: z
      .strictObject({
        app_id: z
          .string()
          .min(1)
          .max(100)
          .meta({
            description: 'The App ID of its project.',
            examples: ['12345:AbCdEfGh'],
          }),
        encryption_key: z
          .base64({ error: 'must be a key in base64' })
          .max(64)
          .optional()
          .meta({ description: 'Its AES-128 key in base64, where the game encrypts calls. Default: none' }),
        medals: keysByNumber('Which medal is which achievement.'),
        boards: keysByNumber('Which scoreboard is which board.'),
      })
      .optional()
      .meta({ description: 'Newgrounds.io.' }),
    gamejolt: z
      .strictObject({
        game_id: z
          .string()
          .regex(/^\d{1,12}$/u, 'must be digits')
          .meta({ description: 'The ID of its game.', examples: ['123456'] }),
        trophies: keysByNumber('Which trophy is which achievement.'),
        tables: keysByNumber('Which score table is which board.'),
      })
      .optional()
      .meta({ description: 'The Game API of Game Jolt.' }),
  })
  .meta({
    id: 'PortalKeys',
    description:
      'Calls of its pages to Newgrounds.io and Game Jolt are answered by the service, for the game that is named here.',
  });
export type PortalKeys = z.output<typeof portalKeys>;
