import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { timestamp } from './primitives.ts';

/** Player tokens: who plays, as a space's own server can verify it (docs/game-servers.md, "Who plays"). */
export const maxPlayerTokenSeconds = 3_600;

/** The claims of a player token, an ES256 JWT. */
export const playerClaims = z
  .object({
    iss: z.string().meta({ description: 'The address of the service.' }),
    aud: z.string().meta({ description: 'The slug of the space.' }),
    sub: z.string().meta({ description: 'The player, under a name that only this space knows them by.' }),
    handle: z.string().describe('The handle, as boards show it.'),
    env: z.enum(['live', 'sandbox']).describe('Where to write what the player does.'),
    iat: z.number().int().describe('When it was issued, in seconds since 1970.'),
    exp: z.number().int().describe('When it ends, in seconds since 1970.'),
  })
  .meta({ id: 'PlayerClaims' });
export type PlayerClaims = z.output<typeof playerClaims>;

export const readKeys = defineOperation({
  id: 'readKeys',
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'The public keys that player tokens are signed with (RFC 7517), and the key that comes next.',
  tag: 'Players',
  credential: 'none',
  edge: 'plain',
  answers: {
    200: z.object({
      keys: z
        .array(
          z.object({
            kty: z.literal('EC').describe('The type of the key.'),
            crv: z.literal('P-256').describe('Its curve.'),
            x: z.string().describe('A coordinate, in base64url.'),
            y: z.string().describe('A coordinate, in base64url.'),
            kid: z.string().describe('The id of the key, as in the token’s header.'),
            alg: z.literal('ES256').describe('The algorithm of its signatures.'),
            use: z.literal('sig').describe('It signs.'),
          }),
        )
        .describe('The keys that sign or signed, and the next one.'),
    }),
  },
  errors: [],
});

export const issuePlayerToken = defineOperation({
  id: 'issuePlayerToken',
  method: 'POST',
  path: '/api/players/token',
  summary: 'A token that tells a space which account plays it.',
  tag: 'Players',
  credential: 'token',
  scope: 'boards',
  space: 'in_body',
  edge: 'plain',
  body: z.strictObject({
    space: z.string().max(200).meta({ description: 'The slug of the space.' }),
    sandbox: z.boolean().default(false).describe('A token of the sandbox.'),
    preview: z
      .string()
      .max(100)
      .optional()
      .meta({
        description:
          'The label that the host of a preview link begins with: for everyone with the link, also before the space is live. The token is for the sandbox.',
        examples: ['p--3k9w0q…'],
      }),
  }),
  example: { body: { space: 'moon-hopper' } },
  answers: {
    200: z.object({
      token: z.string().describe('An ES256 JWT.'),
      expires_at: timestamp.describe('When it ends, an hour from now at most.'),
      handle: z.string().describe('The handle of the account.'),
    }),
  },
  errors: ['not_found', 'no_handle', 'forbidden'],
});
