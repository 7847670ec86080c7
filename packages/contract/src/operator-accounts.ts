import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common, message, pageQuery, reason, words } from './operators.ts';
import { createdAt, handle, nextCursor, timestamp } from './primitives.ts';

const reasoned = z.strictObject({ reason, message });

export const operatorAccount = z
  .object({
    handle: z.string().nullable().describe('Null until one is picked.'),
    name: z.string().describe('The name beside the handle.'),
    email: z.string().describe('Where mail goes.'),
    operator: z.boolean().describe('Whether it operates this service.'),
    banned_at: timestamp.nullable().describe('Null where it is not banned.'),
    spaces: z.number().int().describe('How many spaces it has.'),
    created_at: createdAt,
  })
  .meta({ id: 'OperatorAccount' });
export type OperatorAccount = z.output<typeof operatorAccount>;

export const readAccounts = defineOperation({
  ...common,
  id: 'readAccounts',
  method: 'GET',
  path: '/api/operator/accounts',
  summary: 'Accounts, newest first.',
  query: z.strictObject({
    q: words.meta({ description: 'Part of a handle, a name or an e-mail address.' }),
    banned: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: only banned accounts; `false`: only the others.'),
    ...pageQuery,
  }),
  answers: {
    200: z.object({ accounts: z.array(operatorAccount).describe('Newest first.'), next: nextCursor }),
  },
  errors: [],
});

export const banAccount = defineOperation({
  ...common,
  id: 'banAccount',
  method: 'POST',
  path: '/api/operator/accounts/{handle}/ban',
  summary:
    'Ban an account. Its sessions end, its API tokens stop working, its checks stop, its spaces are hidden, and it leaves every ranking. Open reports of its spaces are resolved.',
  params: z.object({ handle }),
  body: reasoned,
  example: { body: { reason: 'It publishes spam.' } },
  answers: { 200: operatorAccount },
  errors: ['not_found'],
});

export const unbanAccount = defineOperation({
  ...common,
  id: 'unbanAccount',
  method: 'POST',
  path: '/api/operator/accounts/{handle}/unban',
  summary: 'Lift the ban of an account: its API tokens work again, and what the ban hid is back.',
  params: z.object({ handle }),
  body: reasoned,
  example: { body: { reason: 'It was somebody else.' } },
  answers: { 200: operatorAccount },
  errors: ['not_found'],
});
