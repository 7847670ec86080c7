import { z } from 'zod';
import { maxPageSize, ownSpace } from './listing.ts';
import { defineOperation } from './operation.ts';
import { digits, handle, slugParameter, text, timestamp, webUrl } from './primitives.ts';
import { spaceFieldsSchema, spaceStates } from './spaces.ts';

/** What operators do (contract §10). Every action says why, and is in the audit log with it. */
export const reason = text(1, 1_000, { lineBreaks: true }).meta({
  description: 'Why: kept in the audit log.',
});

export const pageQuery = {
  cursor: z.string().max(3_000).optional().meta({ description: '`next` of the page before.' }),
  limit: digits(1, maxPageSize).default(50),
};
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
    state: z.enum(spaceStates).optional(),
    ...pageQuery,
  }),
  answers: { 200: z.object({ spaces: z.array(ownSpace), next: z.string().nullable() }) },
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
  body: spaceFieldsSchema.extend({ url: webUrl }),
  answers: { 201: ownSpace },
  errors: ['blocked', 'duplicate', 'unreachable', 'unframeable'],
});

// Addresses that are never listed.

const host = z.string().min(1, 'must not be empty').max(2_000).meta({
  description: 'A host (with its subdomains), a host:port or an address.',
});
const blockAnswer = z.object({ host: z.string(), blocked: z.boolean() });

export const readBlocks = defineOperation({
  ...common,
  id: 'readBlocks',
  method: 'GET',
  path: '/api/operator/blocks',
  summary: 'The hosts and addresses that are never listed, by name.',
  query: z.strictObject(pageQuery),
  answers: {
    200: z.object({
      blocks: z.array(z.object({ host: z.string(), blocked_at: timestamp })),
      next: z.string().nullable(),
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
  answers: { 200: blockAnswer },
  errors: [],
});

// Accounts.

export const operatorAccount = z
  .object({
    handle: z.string().nullable(),
    name: z.string(),
    email: z.string(),
    operator: z.boolean(),
    banned_at: timestamp.nullable(),
    spaces: z.number().int(),
    created_at: timestamp,
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
    banned: z.enum(['true', 'false']).optional(),
    ...pageQuery,
  }),
  answers: { 200: z.object({ accounts: z.array(operatorAccount), next: z.string().nullable() }) },
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
  answers: { 200: operatorAccount },
  errors: ['not_found'],
});

// What was done, and how the service is.

export const auditEntry = z
  .object({
    id: z.string(),
    at: timestamp,
    actor: z.string().meta({ description: 'A handle; `admin` for a call on the machine itself.' }),
    action: z.string(),
    subject: z.object({
      kind: z.enum(['space', 'version', 'account', 'host', 'report']),
      id: z.string(),
      name: z.string().nullable().meta({
        description: 'A slug, `slug#number`, a handle or a host; null for what is gone.',
      }),
    }),
    reason: z.string().nullable(),
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
  answers: { 200: z.object({ entries: z.array(auditEntry), next: z.string().nullable() }) },
  errors: [],
});

const serviceState = z.enum(['ok', 'unavailable']);

const browserHealth = z
  .object({
    state: z.enum(['ready', 'starting', 'off', 'elsewhere']).meta({
      description:
        '`off`: no page is opened, so versions are checked by the rules alone and there are no clips. `elsewhere`: workers of their own have it.',
    }),
    version: z.string().nullable().meta({ description: "Chromium's." }),
    from: z.enum(['machine', 'npm', 'path']).nullable(),
    age_days: z.number().int().nullable().meta({
      description: 'Days since this Chromium came out, by its release calendar; give or take two weeks.',
    }),
    sandbox: z.boolean().nullable(),
    reason: z.string().nullable().meta({ description: 'Why it is off, or what is not as it should be.' }),
  })
  .meta({ id: 'BrowserHealth' });

export const readServiceHealth = defineOperation({
  ...common,
  id: 'readServiceHealth',
  method: 'GET',
  path: '/api/operator/health',
  summary: 'The queue by kind of job, the jobs that have failed for good, and what the service stands on.',
  answers: {
    200: z.object({
      database: serviceState,
      store: serviceState,
      browser: browserHealth,
      open_reviews: z.number().int(),
      open_reports: z.number().int(),
      jobs: z.array(
        z.object({
          kind: z.string(),
          waiting: z.number().int().meta({ description: 'Due, and not leased by a worker.' }),
          running: z.number().int(),
          later: z.number().int().meta({ description: 'Not due yet.' }),
          failed: z.number().int(),
          oldest_waiting_since: timestamp.nullable(),
        }),
      ),
      lost_files: z
        .array(
          z.object({
            key: z.string().meta({ description: 'Where the store has it; begins with its SHA-256.' }),
            problem: z.enum(['missing', 'damaged']),
            found_at: timestamp,
          }),
        )
        .meta({
          description:
            'Stored files that are missing or not what their hash says. A create that names one asks for it again; `admin verify --repair` mends them from a copy.',
        }),
      failed_jobs: z.array(
        z.object({
          kind: z.string(),
          ref: z.string(),
          attempts: z.number().int(),
          error: z.string().nullable(),
          failed_at: timestamp,
        }),
      ),
    }),
  },
  errors: [],
});
