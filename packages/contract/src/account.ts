import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { text, timestamp } from './primitives.ts';

/** Seconds between two polls of a device sign-in, until `slow_down` adds five (RFC 8628 §3.2). */
export const deviceIntervalSeconds = 5;

/** What a device says of itself: shown to the creator who is asked to approve it. */
export const clientName = text(0, 80).meta({
  description: 'The name of the program that asks, as the creator will see it.',
  examples: ['spaceport on my-laptop'],
});

// Sign-in bodies ignore fields they do not know (contract §1): OAuth clients send more of them.
export const startLogin = defineOperation({
  id: 'startLogin',
  method: 'POST',
  path: '/api/agent/login',
  summary:
    'Start a device sign-in (RFC 8628): a code to exchange, and a link for the creator to approve it at.',
  tag: 'Account',
  credential: 'none',
  edge: 'plain',
  body: z.object({ client_name: clientName.optional() }).prefault({}),
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
  answers: {
    200: z.object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.number().int(),
      expires_at: timestamp,
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
      token: z.object({ created_at: timestamp, expires_at: timestamp, client_name: z.string().nullable() }),
    }),
  },
  errors: [],
});
