import { z } from 'zod';
import { tokenReach } from './account.ts';
import { byId, mine, ownPage, removed } from './account-access.ts';
import { defineOperation } from './operation.ts';
import { createdAt, nextCursor, slugParameter, text, timestamp } from './primitives.ts';
import { scopeList } from './scopes.ts';

export const ownToken = z.object({
  id: z.string().describe('The id that other calls take.'),
  client_name: z
    .string()
    .nullable()
    .meta({ description: 'The name that the program gave itself, or that its owner gave it.' }),
  ...tokenReach,
  created_at: createdAt,
  expires_at: timestamp.describe('When it ends.'),
  last_used_at: timestamp.nullable().describe('Null if it was never used.'),
});
export type OwnToken = z.output<typeof ownToken>;

export const readTokens = defineOperation({
  ...mine,
  id: 'readTokens',
  method: 'GET',
  path: '/api/account/tokens',
  summary: 'The API tokens that still work, newest first.',
  query: ownPage,
  answers: { 200: z.object({ tokens: z.array(ownToken).describe('Newest first.'), next: nextCursor }) },
  errors: [],
});

export const createToken = defineOperation({
  ...mine,
  id: 'createToken',
  method: 'POST',
  path: '/api/account/tokens',
  summary: 'Make an API token, such as for a build server. It is in this answer only.',
  body: z.strictObject({
    name: text(1, 80).meta({ description: 'What it is for, as the list of tokens shows it.' }),
    scopes: scopeList,
    space: slugParameter.nullish().meta({
      description: 'The slug of the one space of yours that it is for. If absent: all of them.',
    }),
    days: z.number().int().min(1).max(3_650).optional().meta({
      description:
        'Days until it ends. The default, and the most, is how long any token lasts (API_TOKEN_SECONDS).',
    }),
  }),
  example: { body: { name: 'Build server', scopes: ['publish'], days: 90 } },
  answers: {
    201: z.object({
      token: z.string().describe('The API token. It is in this answer only.'),
      about: ownToken.describe('The token, as the list of tokens shows it.'),
    }),
  },
  errors: ['not_found', 'forbidden', 'rate_limited'],
});

export const changeToken = defineOperation({
  ...mine,
  id: 'changeToken',
  method: 'PATCH',
  path: '/api/account/tokens/{id}',
  summary: 'Rename an API token, or narrow it: scopes can be taken away, never added.',
  params: byId,
  body: z.strictObject({
    name: text(1, 80).optional().describe('What it is for, as the list of tokens shows it.'),
    scopes: scopeList.optional(),
    space: slugParameter
      .optional()
      .meta({ description: 'The slug of the one space of yours that it is for from now on.' }),
  }),
  example: { body: { name: 'Old build server', scopes: ['publish'] } },
  answers: { 200: z.object({ token: ownToken.describe('The token after the change.') }) },
  errors: ['not_found'],
});

export const revokeToken = defineOperation({
  ...mine,
  id: 'revokeToken',
  method: 'DELETE',
  path: '/api/account/tokens/{id}',
  summary: 'Revoke an API token: it is refused from now on.',
  params: byId,
  answers: removed,
  errors: ['not_found'],
});
