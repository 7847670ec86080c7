import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { slugParameter, text, timestamp } from './primitives.ts';
import { scopeList, scopes } from './scopes.ts';

/** Seconds between two polls of a device sign-in, until `slow_down` adds five (RFC 8628 §3.2). */
export const deviceIntervalSeconds = 5;

/** What a device says of itself: shown to the creator who is asked to approve it. */
export const clientName = text(0, 80).meta({
  description: 'The name of the program that asks, as the creator will see it.',
  examples: ['spaceport on my-laptop'],
});

/** What a token may do, as those who hold it and those who own it read it. */
export const tokenReach = {
  scopes: z.array(z.enum(scopes)).meta({ description: 'What it is for.' }),
  space: z.string().nullable().meta({ description: 'The slug of the one space it is for; null for all.' }),
};

// Sign-in bodies ignore fields they do not know (contract §1): OAuth clients send more of them, and send them as forms.
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
  answers: {
    200: z.object({
      device_code: z.string(),
      user_code: z.string().meta({ examples: ['WDJB-MJHT'] }),
      verification_uri: z.string(),
      verification_uri_complete: z.string(),
      expires_in: z.number().int(),
      interval: z.number().int(),
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
  body: z.object({ device_code: z.string().max(1_000) }),
  form: { lists: {} },
  answers: {
    200: z.object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.number().int(),
      expires_at: timestamp,
      ...tokenReach,
      creator: z.object({ handle: z.string().nullable(), name: z.string() }),
    }),
  },
  errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'invalid_grant'],
});

export const readMe = defineOperation({
  id: 'readMe',
  method: 'GET',
  path: '/api/agent/me',
  summary: 'The creator the token belongs to. With the session of a browser, `token` is that session.',
  tag: 'Account',
  credential: 'token',
  edge: 'plain',
  answers: {
    200: z.object({
      creator: z.object({
        handle: z.string().nullable(),
        name: z.string(),
        url: z.string().nullable(),
        created_at: timestamp,
      }),
      token: z.object({
        created_at: timestamp,
        expires_at: timestamp,
        client_name: z.string().nullable(),
        ...tokenReach,
      }),
    }),
  },
  errors: [],
});
