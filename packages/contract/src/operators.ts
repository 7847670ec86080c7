import { z } from 'zod';
import { maxPageSize, ownSpace } from './listing.ts';
import { defineOperation } from './operation.ts';
import {
  createdAt,
  cursor,
  handle,
  nextCursor,
  pageLimit,
  slugParameter,
  text,
  timestamp,
  webUrl,
} from './primitives.ts';
import { spaceFieldsSchema, spaceStates } from './spaces.ts';

/** What operators do (contract §10). Every action says why, and is in the audit log with it. */
export const reason = text(1, 1_000, { lineBreaks: true }).meta({
  description: 'Why: kept in the audit log.',
});

export const pageQuery = { cursor: cursor(3_000), limit: pageLimit(maxPageSize, 50) };

/** A space as those see it who judge what it shows. */
export const judgedSpace = z
  .object({
    slug: z.string().describe('The slug of the space.'),
    title: z.string().describe('Its name.'),
    state: z.enum(spaceStates).describe('How it stands.'),
    owner: z.string().nullable().describe('The handle of its owner, or null.'),
    service_url: z.string().describe('Its page on the service.'),
  })
  .describe('The space that it is about.');
const words = text(0, 200).optional();
const reasoned = z.strictObject({ reason });

/** What the operations of operators have in common. */
export const common = { tag: 'Operators', credential: 'operator', scope: 'operate', edge: 'plain' } as const;

// Spaces.

export const readOperatorSpaces = defineOperation({
  ...common,
  id: 'readOperatorSpaces',
  method: 'GET',
  path: '/api/operator/spaces',
  summary: 'Every space in every state, newest first.',
  query: z.strictObject({
    q: words.meta({ description: 'Part of a slug, a title, or an owner’s handle.' }),
    state: z.enum(spaceStates).optional().describe('Those in this state alone.'),
    ...pageQuery,
  }),
  answers: { 200: z.object({ spaces: z.array(ownSpace).describe('Newest first.'), next: nextCursor }) },
  errors: [],
});

function stateOperation<const Action extends string, const Code extends 'not_found' | 'conflict'>(
  action: Action,
  summary: string,
  errors: readonly Code[],
) {
  return defineOperation({
    ...common,
    id: `${action}Space`,
    method: 'POST',
    path: `/api/operator/spaces/{slug}/${action}`,
    summary,
    params: z.object({ slug: slugParameter }),
    body: reasoned,
    example: { body: { reason: 'Somebody reported it.' } },
    answers: { 200: ownSpace },
    errors,
  });
}

const whereItApplies = ['not_found', 'conflict'] as const;
export const holdSpace = stateOperation(
  'hold',
  'Take a space off the service while it is under review.',
  whereItApplies,
);
export const releaseSpace = stateOperation(
  'release',
  'End the review of a held space: it is as it was before.',
  whereItApplies,
);
export const hideSpace = stateOperation('hide', 'Hide a space from everyone but its owner.', whereItApplies);
// Whatever it is, it can be removed.
export const removeSpace = stateOperation('remove', 'Take a space off the service.', ['not_found']);
export const restoreSpace = stateOperation(
  'restore',
  'Bring a hidden or removed space back as it was before.',
  whereItApplies,
);

export const listSpaceWithoutOwner = defineOperation({
  ...common,
  id: 'listSpaceWithoutOwner',
  method: 'POST',
  path: '/api/operator/spaces',
  summary: 'List a page without an owner. Whoever made it can claim it by the proof tag.',
  body: spaceFieldsSchema.extend({ url: webUrl.describe('The address of the page on the public web.') }),
  example: {
    body: { url: 'https://example.org/reef/', title: 'Reef', space_type: 'game', devices: ['desktop'] },
  },
  answers: { 201: ownSpace },
  errors: ['blocked', 'duplicate', 'unreachable', 'unframeable'],
});

// Addresses that are never listed.

const host = z.string().min(1, 'must not be empty').max(2_000).meta({
  description: 'A host (with its subdomains), a host:port or an address.',
});
const blockAnswer = z.object({
  host: z.string().describe('As it is kept.'),
  blocked: z.boolean().describe('Whether it is never listed now.'),
});

export const readBlocks = defineOperation({
  ...common,
  id: 'readBlocks',
  method: 'GET',
  path: '/api/operator/blocks',
  summary: 'The hosts and addresses that are never listed, by name.',
  query: z.strictObject(pageQuery),
  answers: {
    200: z.object({
      blocks: z
        .array(
          z.object({
            host: z.string().describe('As it is kept.'),
            blocked_at: timestamp.describe('Since when.'),
          }),
        )
        .describe('By name.'),
      next: nextCursor,
    }),
  },
  errors: [],
});

export const blockHost = defineOperation({
  ...common,
  id: 'blockHost',
  method: 'POST',
  path: '/api/operator/blocks',
  summary: 'Never list pages of a host, of a host:port or at an address. Spaces that are listed stay.',
  body: z.strictObject({ host, reason }),
  example: { body: { host: 'games.example', reason: 'It shows other things than it did.' } },
  answers: { 200: blockAnswer },
  errors: [],
});

export const unblockHost = defineOperation({
  ...common,
  id: 'unblockHost',
  method: 'DELETE',
  path: '/api/operator/blocks',
  summary: 'Let pages of a host be listed again.',
  body: z.strictObject({ host, reason }),
  example: { body: { host: 'games.example', reason: 'It was mended.' } },
  answers: { 200: blockAnswer },
  errors: [],
});

// Accounts.

export const operatorAccount = z
  .object({
    handle: z.string().nullable().describe('Null until one is picked.'),
    name: z.string().describe('The name beside the handle.'),
    email: z.string().describe('Where mail goes.'),
    operator: z.boolean().describe('Whether it operates this service.'),
    banned_at: timestamp.nullable().describe('Null where it is not banned.'),
    spaces: z.number().int().describe('How many it has.'),
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
    banned: z.enum(['true', 'false']).optional().describe('Those that are banned, or are not, alone.'),
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
    'Ban an account. Its sessions end, its API tokens open nothing, its checks stop, its spaces are hidden, and it leaves every ranking.',
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

// What was done.

export const auditEntry = z
  .object({
    id: z.string().describe('The id of the entry.'),
    at: timestamp.describe('When.'),
    actor: z.string().meta({ description: 'A handle; `admin` for a call on the machine itself.' }),
    action: z.string().describe('What was done: `hold`, `ban`, ….'),
    subject: z
      .object({
        kind: z.enum(['space', 'version', 'account', 'host', 'report']).describe('What it is.'),
        id: z.string().describe('Its id.'),
        name: z.string().nullable().meta({
          description: 'A slug, `slug#number`, a handle or a host; null for what is gone.',
        }),
      })
      .describe('What it was done to.'),
    reason: z.string().nullable().describe('Why, as the operator said it.'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof auditEntry>;

export const readAudit = defineOperation({
  ...common,
  id: 'readAudit',
  method: 'GET',
  path: '/api/operator/audit',
  summary: 'Who did what, when and why, newest first.',
  query: z.strictObject(pageQuery),
  answers: { 200: z.object({ entries: z.array(auditEntry).describe('Newest first.'), next: nextCursor }) },
  errors: [],
});
