import { z } from 'zod';
import {
  achievementDeclaration,
  boardDeclaration,
  maxAchievements,
  maxBoards,
  maxStats,
  statDeclaration,
  uniqueKeys,
} from './declarations.ts';
import { defineOperation } from './operation.ts';
import { cursor, nextCursor, pageLimit, slugParameter, timestamp, webUrl } from './primitives.ts';
import { space, spaceFieldsSchema, spacePatchSchema } from './spaces.ts';

/**
 * Listing, claiming, changing and moving spaces.
 */
export const maxPageSize = 100;
/** New pictures that a space may ask for in an hour. */
export const recapturesPerHour = 6;
export const maxClipAfterSeconds = 20;
/** The type of the script element in a page's head that holds the boards block. */
export const boardsBlockType = 'application/service+json';
/** The name of the meta element in a page's head that names its owner's handle. */
export const proofTagName = 'service-owner';

/** The declarations in a listed page's boards block, limited to what one space may have. */
export const boardsBlockSchema = z
  .strictObject({
    boards: z
      .array(boardDeclaration)
      .max(maxBoards, `must have at most ${maxBoards} boards`)
      .superRefine(uniqueKeys)
      .optional(),
    stats: z
      .array(statDeclaration)
      .max(maxStats, `must have at most ${maxStats} stats`)
      .superRefine(uniqueKeys)
      .optional(),
    achievements: z
      .array(achievementDeclaration)
      .max(maxAchievements, `must have at most ${maxAchievements} achievements`)
      .superRefine(uniqueKeys)
      .optional(),
  })
  .meta({ id: 'BoardsBlock' });
export type BoardsBlock = z.output<typeof boardsBlockSchema>;

/** A space as its own creator reads it. */
export const ownSpace = space
  .extend({
    page_warning: z.string().nullable().meta({
      description:
        "What is wrong with the boards block of a listed space's page; a bad block changes nothing.",
    }),
    operators_message: z.string().nullable().meta({
      description:
        'What the operators wrote when they held, hid or removed it; null if nothing, or if it is back.',
    }),
  })
  .meta({ id: 'OwnSpace' });
export type OwnSpace = z.output<typeof ownSpace>;

/** A space in its creator's list. */
export const mySpace = ownSpace
  .extend({
    plays: z.number().int().meta({ description: 'How often it was played on the service.' }),
    waiting_checks: z.number().int().meta({ description: 'Versions that wait for the safety check.' }),
    restorable_until: timestamp
      .optional()
      .meta({ description: 'For a deleted space: until when its creator can bring it back.' }),
  })
  .meta({ id: 'MySpace' });
export type MySpace = z.output<typeof mySpace>;

export const spaceParams = z.object({ slug: slugParameter });
const address = z.strictObject({ url: webUrl.describe('The address of the page on the public web.') });
const publishers = ['no_handle', 'forbidden'] as const;
const pageChecks = ['blocked', 'duplicate', 'unreachable', 'unframeable', 'rate_limited'] as const;

export const listSpace = defineOperation({
  id: 'listSpace',
  method: 'POST',
  path: '/api/spaces',
  summary:
    'List a page that runs elsewhere as a space. It is claimed at once if the page carries the proof tag.',
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  body: spaceFieldsSchema.extend({ url: webUrl.describe('The address of the page on the public web.') }),
  example: {
    body: { url: 'https://example.org/kelp/', title: 'Kelp', space_type: 'game', devices: ['desktop'] },
  },
  more: 'The page has to be on the public web, and let itself be framed. To publish files call `publishArchive` or `createVersion`.',
  answers: {
    201: ownSpace.extend({
      instruction: z.string().optional().meta({ description: 'If unclaimed: how to claim the space.' }),
      snippet: z.string().optional().meta({ description: 'If unclaimed: the proof tag.' }),
    }),
  },
  errors: [...publishers, ...pageChecks],
});

export const mySpaces = defineOperation({
  id: 'mySpaces',
  method: 'GET',
  path: '/api/spaces',
  summary: "The caller's own spaces, newest first.",
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  space: 'listed',
  edge: 'plain',
  query: z.strictObject({
    mine: z
      .enum(['1', 'true'])
      .optional()
      .meta({ description: 'Changes nothing: only own spaces are listed.' }),
    cursor: cursor(200),
    deleted: z
      .enum(['1', 'true'])
      .optional()
      .meta({ description: 'Lists the deleted spaces that can still be restored, and no others.' }),
    limit: pageLimit(maxPageSize, 50),
  }),
  answers: { 200: z.object({ spaces: z.array(mySpace).describe('Newest first.'), next: nextCursor }) },
  errors: [],
});

export const verifySpace = defineOperation({
  id: 'verifySpace',
  method: 'POST',
  path: '/api/spaces/verify',
  summary: 'Claim, by the proof tag, a page that you or the service listed.',
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  space: 'in_body',
  edge: 'plain',
  body: z
    .strictObject({
      slug: slugParameter.optional().describe('The slug of the listing; or send `url`.'),
      url: webUrl.optional().describe('The address that is listed; or send `slug`.'),
    })
    .refine(({ slug, url }) => (slug === undefined) !== (url === undefined), 'must have either slug or url'),
  example: { body: { url: 'https://example.org/kelp/' } },
  answers: { 200: ownSpace },
  errors: [
    ...publishers,
    'blocked',
    'unreachable',
    'rate_limited',
    'not_found',
    'unverified',
    'removed',
    'held',
    'conflict',
  ],
});

export const readSpace = defineOperation({
  id: 'readSpace',
  method: 'GET',
  path: '/api/spaces/{slug}',
  summary: 'One space of the caller, with its ETag.',
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: spaceParams,
  answers: { 200: ownSpace },
  errors: ['not_found'],
});

export const changeSpace = defineOperation({
  id: 'changeSpace',
  method: 'PATCH',
  path: '/api/spaces/{slug}',
  summary: "Change a space's listing fields and page settings; If-Match is honoured.",
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: spaceParams,
  body: spacePatchSchema,
  example: { body: { description: 'Hop from moon to moon.', page: { accent: '#2a7f62' } } },
  answers: { 200: ownSpace },
  errors: ['forbidden', 'not_found', 'precondition_failed', 'removed', 'held'],
});

export const moveSpace = defineOperation({
  id: 'moveSpace',
  method: 'POST',
  path: '/api/spaces/{slug}/move',
  summary: 'Move a space to another address. 6 tries in 10 minutes.',
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  edge: 'plain',
  params: spaceParams,
  body: address,
  example: { body: { url: 'https://example.org/moon-hopper/' } },
  more: 'If the space is claimed, the page at the new address must carry the proof tag.',
  answers: {
    200: ownSpace.extend({ previous_url: z.string().describe('The address where it ran before.') }),
  },
  errors: [...pageChecks, 'forbidden', 'not_found', 'unverified', 'same_url', 'removed', 'held', 'conflict'],
});

export const recaptureSpace = defineOperation({
  id: 'recaptureSpace',
  method: 'POST',
  path: '/api/spaces/recapture',
  summary: `Ask for a new picture of a space, ${recapturesPerHour} times an hour, and for a sync of its boards block.`,
  tag: 'Listing',
  credential: 'token',
  scope: 'publish',
  space: 'in_body',
  edge: 'plain',
  body: z.strictObject({
    slug: slugParameter,
    after_seconds: z.number().int().min(0).max(maxClipAfterSeconds).optional().meta({
      description:
        'How many seconds after the page has loaded this and every later picture is taken; 0: as soon as something is visible. If absent: unchanged.',
    }),
  }),
  example: { body: { slug: 'moon-hopper', after_seconds: 3 } },
  answers: {
    202: z.object({
      requested_at: timestamp.describe('When it was asked for.'),
      after_seconds: z.number().int().describe('How long after loading pictures are taken now.'),
      take: z
        .number()
        .int()
        .meta({ description: 'The number of the picture; `clip.take` once it is there.' }),
    }),
  },
  errors: ['forbidden', 'not_found', 'removed', 'held', 'rate_limited'],
});
