import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { timestamp } from './primitives.ts';

/** Player tokens: who plays, as a space's own server can verify it (interface, "Public key set"). */
export const maxPlayerTokenSeconds = 3_600;

/** The claims of a player token, an ES256 JWT (security.md, "Credentials"). */
export const playerClaims = z
  .object({
    iss: z.string().meta({ description: 'The address of the service.' }),
    aud: z.string().meta({ description: 'The slug of the space.' }),
    sub: z.string().meta({ description: 'The player, under a name that only this space knows them by.' }),
    handle: z.string(),
    env: z.enum(['live', 'sandbox']),
    iat: z.number().int(),
    exp: z.number().int(),
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
      keys: z.array(
        z.object({
          kty: z.literal('EC'),
          crv: z.literal('P-256'),
          x: z.string(),
          y: z.string(),
          kid: z.string(),
          alg: z.literal('ES256'),
          use: z.literal('sig'),
        }),
      ),
    }),
  },
  errors: [],
});

export const issuePlayerToken = defineOperation({
  id: 'issuePlayerToken',
  method: 'POST',
  path: '/api/players/token',
  summary: 'A token that tells a space who plays it: for the account that asks.',
  tag: 'Players',
  credential: 'token',
  scope: 'boards',
  space: 'in_body',
  edge: 'plain',
  body: z.strictObject({
    space: z.string().max(200).meta({ description: 'The slug of the space.' }),
    sandbox: z.boolean().default(false),
    preview: z
      .string()
      .max(100)
      .optional()
      .meta({
        description:
          'The label of a preview link of the space, which its host begins with: for who has the link, also before the space is live. The token is of the sandbox.',
        examples: ['p--3k9w0q…'],
      }),
  }),
  answers: { 200: z.object({ token: z.string(), expires_at: timestamp, handle: z.string() }) },
  errors: ['not_found', 'no_handle', 'forbidden'],
});
