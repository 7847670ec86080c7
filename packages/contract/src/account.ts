import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { createdAt, slugParameter, text, timestamp } from './primitives.ts';
import { scopeList, scopes } from './scopes.ts';

/** Seconds between two polls of a device sign-in, until `slow_down` adds five (RFC 8628 §3.2). */
export const deviceIntervalSeconds = 5;

/** The name that a device gives itself; shown to the creator who is asked to approve it. */
export const clientName = text(0, 80).meta({
  description: 'The name of the program that asks, as the creator will see it.',
  examples: ['spaceport on my-laptop'],
});

/** The rights of a token, as shown to its holder and to its owner. */
export const tokenReach = {
  scopes: z.array(z.enum(scopes)).meta({ description: 'The scopes of the token.' }),
  space: z.string().nullable().meta({ description: 'The slug of the one space it is for; null for all.' }),
};

const creatorHandle = z.string().nullable().describe('Null until the account has picked one.');
const creatorName = z.string().describe('The name beside the handle.');

// Sign-in bodies ignore unknown fields: OAuth clients send additional ones, and send them as
// forms.
export const startLogin = defineOperation({
  id: 'startLogin',
  method: 'POST',
  path: '/api/agent/login',
  summary:
    'Start a device sign-in (RFC 8628): a code to exchange, and a link for the creator to approve it at.',
  tag: 'Account',
  credential: 'none',
  edge: 'plain',
  body: z
    .object({
      client_name: clientName.optional(),
      scopes: scopeList.optional().meta({
        description:
          'What the token is for. If absent: `publish`, `boards` and `moderate`. The person may take some away.',
      }),
      space: slugParameter.optional().meta({
        description: 'The slug of the one space the token is for. If absent: all of the creator’s spaces.',
      }),
    })
    .prefault({}),
  form: { lists: { scope: 'scopes' } },
  example: { body: { client_name: 'My agent', scopes: ['publish'] } },
  more: 'Show the person `verification_uri_complete` and `user_code`, then call `exchangeLogin` every `interval` seconds.',
  answers: {
    200: z.object({
      device_code: z.string().describe('What `exchangeLogin` takes. Show it to nobody.'),
      user_code: z
        .string()
        .meta({ description: 'What the person compares, or types.', examples: ['WDJB-MJHT'] }),
      verification_uri: z.string().describe('The page where the person types the code.'),
      verification_uri_complete: z
        .string()
        .describe('The same page with the code filled in: show this address.'),
      expires_in: z.number().int().describe('Seconds until the code ends.'),
      interval: z.number().int().describe('Seconds between two exchanges.'),
    }),
  },
  errors: ['rate_limited'],
});

export const exchangeLogin = defineOperation({
  id: 'exchangeLogin',
  method: 'POST',
  path: '/api/agent/token',
  summary: 'Exchange the device code for an API token, once the creator has approved it.',
  tag: 'Account',
  credential: 'none',
  edge: 'plain',
  body: z.object({ device_code: z.string().max(1_000).describe('As `startLogin` gave it.') }),
  form: { lists: {} },
  example: { body: { device_code: 'sp_device_…' } },
  more: 'Until then it answers `authorization_pending`: wait `interval` seconds and ask again.',
  answers: {
    200: z.object({
      access_token: z.string().describe('The API token. It is in this answer only.'),
      token_type: z.literal('Bearer').describe('How it is sent: `authorization: Bearer …`.'),
      expires_in: z.number().int().describe('Seconds until it ends.'),
      expires_at: timestamp.describe('When it ends.'),
      ...tokenReach,
      creator: z
        .object({ handle: creatorHandle, name: creatorName })
        .describe('The creator that the token belongs to.'),
    }),
  },
  errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'invalid_grant'],
});

export const readMe = defineOperation({
  id: 'readMe',
  method: 'GET',
  path: '/api/agent/me',
  summary: 'The creator the token belongs to. With a browser session, `token` describes that session.',
  tag: 'Account',
  credential: 'token',
  edge: 'plain',
  answers: {
    200: z.object({
      creator: z
        .object({
          handle: creatorHandle,
          name: creatorName,
          url: z.string().nullable().describe('The page of the creator; null without a handle.'),
          created_at: timestamp.describe('When the account was made.'),
        })
        .describe('The creator that the token belongs to.'),
      token: z
        .object({
          created_at: createdAt,
          expires_at: timestamp.describe('When it ends.'),
          client_name: z
            .string()
            .nullable()
            .describe('The name that the program gave itself, or that its owner gave it.'),
          ...tokenReach,
        })
        .describe('The token of this request.'),
    }),
  },
  errors: [],
});
