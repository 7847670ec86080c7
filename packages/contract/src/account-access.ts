import { z } from 'zod';
import { tokenReach } from './account.ts';
import { maxPageSize, ownSpace } from './listing.ts';
import { defineOperation } from './operation.ts';
import { cursor, idParameter, nextCursor, pageLimit, text, timestamp, yes } from './primitives.ts';
import { scopeList } from './scopes.ts';

/**
 * The tokens, passkeys and browser sessions that act in an account's name, and the devices that its owner
 * approves.
 */
export const mine = { tag: 'My account', credential: 'session', edge: 'plain' } as const;
export const byId = z.object({ id: idParameter });
/** The requested page of a list of the account. */
export const ownPage = z.strictObject({ cursor: cursor(200), limit: pageLimit(maxPageSize, 50) });
export const removed = { 200: z.object({ removed: yes }) };

export const ownPasskey = z.object({
  id: z.string().describe('The id that other calls take.'),
  name: z.string().nullable().describe('The name that its owner gave it.'),
  created_at: timestamp.nullable().describe('When it was made.'),
});
export type OwnPasskey = z.output<typeof ownPasskey>;

export const readPasskeys = defineOperation({
  ...mine,
  id: 'readPasskeys',
  method: 'GET',
  path: '/api/account/passkeys',
  summary: 'The passkeys that sign in to the account. They are made through `/api/auth/passkey/*`.',
  answers: { 200: z.object({ passkeys: z.array(ownPasskey).describe('All passkeys of the account.') }) },
  errors: [],
});

export const renamePasskey = defineOperation({
  ...mine,
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/api/account/passkeys/{id}',
  summary: 'Rename a passkey.',
  params: byId,
  body: z.strictObject({ name: text(1, 60).describe('The name that its owner gave it.') }),
  example: { body: { name: 'My phone' } },
  answers: { 200: z.object({ passkey: ownPasskey.describe('The passkey after the change.') }) },
  errors: ['not_found'],
});

export const removePasskey = defineOperation({
  ...mine,
  id: 'removePasskey',
  method: 'DELETE',
  path: '/api/account/passkeys/{id}',
  summary: 'Remove a passkey: it signs nobody in from now on.',
  params: byId,
  answers: removed,
  errors: ['not_found'],
});

export const ownSession = z.object({
  id: z.string().describe('The id that other calls take.'),
  user_agent: z.string().nullable().meta({ description: 'The User-Agent header of the browser.' }),
  current: z.boolean().meta({ description: 'True for the session of this request.' }),
  created_at: timestamp.describe('When the browser signed in.'),
  expires_at: timestamp.describe('When the session ends.'),
});
export type OwnSession = z.output<typeof ownSession>;

export const readSessions = defineOperation({
  ...mine,
  id: 'readSessions',
  method: 'GET',
  path: '/api/account/sessions',
  summary: 'The browsers that are signed in: this one, then the others, newest first.',
  query: ownPage,
  answers: {
    200: z.object({
      sessions: z.array(ownSession).describe('This one first, then the others, newest first.'),
      next: nextCursor,
    }),
  },
  errors: [],
});

export const endSession = defineOperation({
  ...mine,
  id: 'endSession',
  method: 'DELETE',
  path: '/api/account/sessions/{id}',
  summary: 'Sign a browser out.',
  params: byId,
  answers: removed,
  errors: ['not_found'],
});

export const endOtherSessions = defineOperation({
  ...mine,
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/account/sessions',
  summary: 'Sign out every browser except the one that sends this request.',
  answers: { 200: z.object({ ended: z.number().int().describe('How many were signed out.') }) },
  errors: [],
});

const userCode = z
  .string()
  .max(100)
  .meta({
    description: 'The code as the device shows it; case and hyphen do not matter.',
    examples: ['WDJB-MJHT'],
  });
const decision = z.enum(['approve', 'deny']);
const deviceRequest = z.object({
  user_code: z.string().describe('The code as the device shows it.'),
  client_name: z.string().nullable().meta({ description: 'What the program calls itself.' }),
  address: z.string().meta({ description: 'The network address of the device.' }),
  asked_at: timestamp.describe('When the device asked.'),
  ...tokenReach,
});

const foundDevice = deviceRequest.extend({
  your_address: z.string().meta({ description: 'The network address of this browser, to compare.' }),
});
export type FoundDevice = z.output<typeof foundDevice>;

// A POST although it does not change the login: wrong codes are counted, and another site must not use up the
// tries.
export const findDevice = defineOperation({
  ...mine,
  id: 'findDevice',
  method: 'POST',
  path: '/api/account/device',
  summary:
    'The device that waits under a user code, to show before it is approved (RFC 8628 §5.4). Five wrong codes lock the call.',
  body: z.strictObject({ user_code: userCode }),
  example: { body: { user_code: 'WDJB-MJHT' } },
  answers: { 200: foundDevice },
  errors: ['not_found', 'conflict', 'rate_limited'],
});

export const decideDevice = defineOperation({
  ...mine,
  id: 'decideDevice',
  method: 'POST',
  path: '/api/account/device/decision',
  summary: 'Let a device act in the account’s name, or refuse it.',
  body: z.strictObject({
    user_code: userCode,
    decision: decision.describe('Whether the device may.'),
    scopes: scopeList.optional().meta({
      description:
        'The scopes that the device gets, out of those it asked for. If absent: all but `operate`, which must be named.',
    }),
  }),
  example: { body: { user_code: 'WDJB-MJHT', decision: 'approve', scopes: ['publish'] } },
  answers: { 200: deviceRequest.extend({ decision: decision.describe('What was decided.') }) },
  errors: ['not_found', 'conflict', 'rate_limited'],
});

export const claimUnlisted = defineOperation({
  ...mine,
  id: 'claimUnlisted',
  method: 'POST',
  path: '/api/account/claim',
  summary: 'Take over a page that was published without an account.',
  body: z.strictObject({ claim_token: z.string().max(1_000).describe('The claim token of the publish.') }),
  example: { body: { claim_token: 'sp_claim_…' } },
  answers: { 200: ownSpace },
  errors: ['claim_not_found', 'claim_expired', 'claim_no_profile', 'claim_banned', 'held', 'removed'],
});
