import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { timestamp } from './primitives.ts';

export const readMe = defineOperation({
  id: 'readMe',
  method: 'GET',
  path: '/api/agent/me',
  summary: 'The creator the token belongs to.',
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
  errors: ['unauthorized'],
});
