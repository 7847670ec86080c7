import { z } from 'zod';
import { maxPageSize, ownSpace } from './listing.ts';
import { defineOperation } from './operation.ts';
import { cursor, nextCursor, pageLimit, slugParameter, text, timestamp, webUrl } from './primitives.ts';
import { spaceFieldsSchema, spaceStates } from './spaces.ts';

/** The operators' actions. Every action has a reason, which the audit log records. */
export const reason = text(1, 1_000, { lineBreaks: true }).meta({
  description: 'Why: kept in the audit log.',
});

/** What an operator writes to the owner of a space, or to the person whom an action is about. */
export const message = text(1, 1_000, { lineBreaks: true }).optional().meta({
  description: 'What the owner is told, beside what was done. The reason is only for operators.',
});

export const pageQuery = { cursor: cursor(3_000), limit: pageLimit(maxPageSize, 50) };

/** A space as operators see it. */
export const judgedSpace = z
  .object({
    slug: z.string().describe('The slug of the space.'),
    title: z.string().describe('Its name.'),
    state: z.enum(spaceStates).describe('Its state.'),
    owner: z.string().nullable().describe('The handle of its owner, or null.'),
    service_url: z.string().describe('Its page on the service.'),
  })
  .describe('The space.');
/** The search text of a list. */
export const words = text(0, 200).optional();
const reasoned = z.strictObject({ reason, message });

/** The common fields of all operations of operators. */
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
    state: z.enum(spaceStates).optional().describe('Only spaces in this state.'),
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
    example: { body: { reason: 'Somebody reported it.', message: 'Its title names somebody.' } },
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
export const hideSpace = stateOperation(
  'hide',
  'Hide a space: nobody can open it, and its owner can still change it.',
  whereItApplies,
);
// A space can be removed in any state.
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
  summary: 'List a page without an owner. Its maker can claim it by the proof tag.',
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
  host: z.string().describe('The host as it is stored.'),
  blocked: z.boolean().describe('Whether it is blocked now.'),
});

export const readBlocks = defineOperation({
  ...common,
  id: 'readBlocks',
  method: 'GET',
  path: '/api/operator/blocks',
  summary: 'The blocked hosts and addresses, by name: their pages are never listed.',
  query: z.strictObject(pageQuery),
  answers: {
    200: z.object({
      blocks: z
        .array(
          z.object({
            host: z.string().describe('The host as it is stored.'),
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
