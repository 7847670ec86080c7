import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { createdAt, yes } from './primitives.ts';
import { email, password, personName } from './sign-in.ts';

/**
 * An account as its owner sees and changes it, in a signed-in browser. API tokens are not accepted here:
 * their rights end at the spaces, so that a leaked token never gives away the account.
 */
export const ownAccount = z
  .object({
    name: z.string().describe('The name beside the handle.'),
    handle: z.string().nullable().meta({ description: 'Null until one is chosen.' }),
    url: z.string().nullable().meta({ description: 'The page of the creator; null without a handle.' }),
    email: z.string().describe('Where mail goes.'),
    email_verified: z.boolean().describe('Whether the address was confirmed by its link.'),
    operator: z.boolean().describe('Whether the account operates this service.'),
    created_at: createdAt,
  })
  .meta({ id: 'Account' });
export type OwnAccount = z.output<typeof ownAccount>;

const mine = { tag: 'My account', credential: 'session', edge: 'plain' } as const;
const changed = { 200: z.object({ account: ownAccount.describe('The account as it is now.') }) };

export const readAccount = defineOperation({
  ...mine,
  credential: 'own_page',
  id: 'readAccount',
  method: 'GET',
  path: '/api/account',
  summary: 'The account that is signed in in this browser; null if there is none.',
  answers: { 200: z.object({ account: ownAccount.nullable().describe('Null where nobody is signed in.') }) },
  errors: [],
});

export const renameAccount = defineOperation({
  ...mine,
  id: 'renameAccount',
  method: 'PATCH',
  path: '/api/account',
  summary: 'Change the name that stands beside the handle.',
  body: z.strictObject({ name: personName }),
  example: { body: { name: 'Wren' } },
  answers: changed,
  errors: [],
});

export const checkHandle = defineOperation({
  ...mine,
  id: 'checkHandle',
  method: 'GET',
  path: '/api/account/handle',
  summary: 'Whether a handle can be chosen now, and if not, what is wrong with it.',
  query: z.strictObject({ handle: z.string().max(1_000).describe('The wanted handle.') }),
  example: { query: { handle: 'wren' } },
  answers: {
    200: z.object({
      handle: z
        .string()
        .meta({ description: 'The handle as it would be stored. If it breaks the rules: as it was sent.' }),
      problem: z.string().nullable().meta({
        description: 'The end of a sentence about it, such as «is taken»; null if it can be chosen.',
      }),
    }),
  },
  errors: [],
});

export const chooseHandle = defineOperation({
  ...mine,
  id: 'chooseHandle',
  method: 'POST',
  path: '/api/account/handle',
  summary: 'Choose the handle, once. `conflict` where the account has one.',
  // The server checks the rules of a handle, so that a malformed, a reserved and a taken one are refused in
  // the same way.
  body: z.strictObject({
    handle: z.string().max(1_000).describe('3 to 24 of a-z, 0-9 and _, starting with a letter.'),
  }),
  example: { body: { handle: 'wren' } },
  answers: changed,
  errors: ['conflict'],
});

export const changeEmail = defineOperation({
  ...mine,
  id: 'changeEmail',
  method: 'POST',
  path: '/api/account/email',
  summary:
    'Ask for another e-mail address. A link is sent to it. Following the link makes it the account’s address; the old address gets a notice.',
  body: z.strictObject({
    email,
    password: password.meta({ description: 'The current one. A wrong one is `invalid`.' }),
  }),
  example: { body: { email: 'wren@example.net', password: 'a long enough password' } },
  answers: { 202: z.object({ requested: yes, email: z.string().describe('Where the link went.') }) },
  errors: ['rate_limited'],
});

export const sendConfirmation = defineOperation({
  ...mine,
  id: 'sendConfirmation',
  method: 'POST',
  path: '/api/account/email/send',
  summary: 'Send the link that confirms the address again. Does nothing if it is confirmed.',
  answers: { 202: z.object({ requested: yes }) },
  errors: ['rate_limited'],
});

/** A session up to this age in seconds proves the account's owner without the password. */
export const provesOwnerSeconds = 300;

export const deleteAccount = defineOperation({
  ...mine,
  id: 'deleteAccount',
  method: 'DELETE',
  path: '/api/account',
  summary:
    'Delete the account, for good: its spaces are gone at once and can’t be restored, its scores, stats and achievements go from every space, its sessions and tokens end. Its handle is never reused.',
  body: z
    .strictObject({
      password: password.optional().meta({
        description: `A wrong one is \`invalid\`. It can be left out if the browser signed in, with a passkey or a password, in the last ${provesOwnerSeconds / 60} minutes.`,
      }),
    })
    .prefault({}),
  example: { body: { password: 'a long enough password' } },
  answers: { 200: z.object({ deleted: yes }) },
  errors: ['rate_limited', 'conflict'],
});

export const changePassword = defineOperation({
  ...mine,
  id: 'changePassword',
  method: 'POST',
  path: '/api/account/password',
  summary: 'Change the password, and sign out every other browser.',
  body: z.strictObject({
    current: password.meta({ description: 'A wrong one is `invalid`.' }),
    password: password.meta({ description: 'The new one: 8 to 128 characters.' }),
  }),
  example: { body: { current: 'a long enough password', password: 'another long password' } },
  answers: { 200: z.object({ changed: yes }) },
  errors: ['rate_limited'],
});
