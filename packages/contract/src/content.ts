import { z } from 'zod';
import { key } from './declared-key.ts';
import { defineOperation } from './operation.ts';
import { playedSpace } from './player.ts';
import {
  cursor,
  idParameter,
  nextCursor,
  pageLimit,
  slugParameter,
  text,
  timestamp,
  yes,
} from './primitives.ts';
import { maxReportMessage, reportReasons } from './reports.ts';

/** Small things that players of a space make, for its other players: levels, ghosts, drawings. */
export const maxContentBytes = 64 * 1024;
export const maxContentTitle = 80;
/** A page of a list ends early when its items together are larger than this. */
export const maxContentPageBytes = 512 * 1024;
const mostInPage = 50;
/** Enough for JSON in which every character is escaped, and the fields around it. */
const maxContentBodyBytes = 6 * maxContentBytes + 16 * 1024;

export const contentSorts = ['new', 'liked'] as const;

const kind = key.meta({
  description:
    'The kind of thing, as the space names it: `level`, `ghost`. A key like those of boards; nothing has to be declared.',
});

/** The public fields of an item, without its data. */
export const shownContent = {
  id: z.string().describe('The id that other calls take.'),
  kind: z.string().describe('The kind of thing, as the space names it.'),
  title: z.string().describe('The title that its player wrote; may be empty. Text, never markup.'),
  handle: z.string().describe('The handle of its maker.'),
  likes: z.number().int().describe('How many players like it.'),
  created_at: timestamp.describe('When it was published.'),
};

export const contentBytes = z.number().int().describe('The size of its data as JSON, in bytes.');

// Any value is JSON, because it comes from a JSON body; a recursive JSON schema breaks client generators.
export const contentData = z.unknown().meta({ description: 'The data, as the space wrote it.' });

export const contentItem = z
  .object({
    ...shownContent,
    data: contentData,
    liked: z.boolean().describe('Whether the caller likes it.'),
    yours: z.boolean().describe('Whether the caller made it.'),
  })
  .meta({ id: 'ContentItem' });
export type ContentItem = z.output<typeof contentItem>;

const common = { tag: 'Content', credential: 'player', edge: 'plain' } as const;
const inSpace = z.strictObject({ space: playedSpace });
const params = z.object({ id: idParameter });
const path = '/api/player/content/{id}';

export const readContent = defineOperation({
  ...common,
  id: 'readContent',
  method: 'GET',
  path: '/api/player/content',
  summary:
    'What players of a space have made of one kind: the newest or the most liked first, or only what the caller made.',
  more: `What banned players made is left out. A page holds at most ${maxContentPageBytes / 1024} KiB: follow \`next\` until it is null.`,
  query: z.strictObject({
    space: playedSpace,
    kind,
    sort: z.enum(contentSorts).default('new').describe('What comes first.'),
    mine: z.enum(['true', 'false']).optional().describe('Only what the caller made, newest first.'),
    cursor: cursor(200),
    limit: pageLimit(mostInPage, 20),
  }),
  example: { query: { space: 'moon-hopper', kind: 'level', sort: 'liked' } },
  answers: {
    200: z.object({ items: z.array(contentItem).describe('In the order of `sort`.'), next: nextCursor }),
  },
  errors: ['not_found', 'space_unavailable', 'sign_in_required'],
});

export const readContentItem = defineOperation({
  ...common,
  id: 'readContentItem',
  method: 'GET',
  path,
  summary: 'One thing that a player has made.',
  params,
  query: inSpace,
  example: { query: { space: 'moon-hopper' } },
  answers: { 200: contentItem },
  errors: ['not_found', 'space_unavailable'],
});

export const publishContent = defineOperation({
  ...common,
  id: 'publishContent',
  method: 'POST',
  path: '/api/player/content',
  summary: `Publish something that the player has made, for everyone who plays the space: JSON of at most ${maxContentBytes / 1024} KiB. It takes an account.`,
  more: 'It never changes. If the same player publishes the same thing again, the answer is the one that exists, so a repeat is safe.',
  maxBodyBytes: maxContentBodyBytes,
  body: z.strictObject({
    space: playedSpace,
    kind,
    title: text(0, maxContentTitle).default('').describe('The text that players see.'),
    data: contentData.refine((value) => value !== undefined, 'must be there'),
  }),
  example: {
    body: { space: 'moon-hopper', kind: 'level', title: 'Two craters', data: { craters: [3, 9] } },
  },
  answers: { 200: contentItem },
  errors: [
    'not_found',
    'space_unavailable',
    'sign_in_required',
    'no_handle',
    'banned',
    'too_many',
    'rate_limited',
  ],
});

export const removeContent = defineOperation({
  ...common,
  id: 'removeContent',
  method: 'DELETE',
  path,
  summary: 'Take back what the player has published: it is deleted, with its likes.',
  params,
  query: inSpace,
  example: { query: { space: 'moon-hopper' } },
  answers: { 200: z.object({ deleted: yes }) },
  errors: ['not_found', 'space_unavailable', 'sign_in_required'],
});

const liking = {
  ...common,
  path: `${path}/like`,
  params,
  query: inSpace,
  example: { query: { space: 'moon-hopper' } },
  answers: {
    200: z.object({
      liked: z.boolean().describe('Whether the player likes it now.'),
      likes: shownContent.likes,
    }),
  },
} as const;

export const likeContent = defineOperation({
  ...liking,
  id: 'likeContent',
  method: 'PUT',
  summary: 'Like something that a player has made; a player counts once. It takes an account.',
  errors: ['not_found', 'space_unavailable', 'sign_in_required', 'banned', 'rate_limited'],
});

export const unlikeContent = defineOperation({
  ...liking,
  id: 'unlikeContent',
  method: 'DELETE',
  summary: 'Take back a like.',
  errors: ['not_found', 'space_unavailable', 'sign_in_required', 'rate_limited'],
});

export const reportContent = defineOperation({
  ...common,
  id: 'reportContent',
  method: 'POST',
  path: `${path}/report`,
  summary: 'Report something that a player has made to the operators. Nothing is kept about who sent it.',
  params,
  body: z.strictObject({
    space: playedSpace,
    reason: z.enum(reportReasons).describe('What it is about.'),
    message: text(0, maxReportMessage, { lineBreaks: true })
      .default('')
      .describe('What is wrong, for a person to read.'),
  }),
  example: { body: { space: 'moon-hopper', reason: 'hate' } },
  answers: { 202: z.object({ reported_at: timestamp.describe('When it arrived.') }) },
  errors: ['not_found', 'space_unavailable', 'rate_limited'],
});

/** An item as the creator of the space sees it. */
export const ownContentItem = z
  .object({
    ...shownContent,
    handle: shownContent.handle
      .nullable()
      .describe('The handle of its maker; null if the account has none any more.'),
    bytes: contentBytes,
    banned: z.boolean().describe('Whether its maker is banned: it is hidden from players then.'),
    reports: z.number().int().describe('Reports of it that the operators have not decided yet.'),
  })
  .meta({ id: 'OwnContentItem' });
export type OwnContentItem = z.output<typeof ownContentItem>;

const moderation = { tag: 'Content', credential: 'token', scope: 'moderate', edge: 'plain' } as const;
const itemOfSpace = {
  path: '/api/spaces/{slug}/content/{id}',
  params: z.object({ slug: slugParameter, id: idParameter }),
} as const;

export const readOwnContent = defineOperation({
  ...moderation,
  id: 'readOwnContent',
  method: 'GET',
  path: '/api/spaces/{slug}/content',
  summary: 'What players have made in one of the caller’s spaces, banned players included, newest first.',
  params: z.object({ slug: slugParameter }),
  query: z.strictObject({
    kind: kind.optional(),
    reported: z.enum(['true', 'false']).optional().describe('Only what is reported.'),
    sandbox: z.enum(['true', 'false']).optional().describe('Read the sandbox instead of live data.'),
    cursor: cursor(200),
    limit: pageLimit(100, 30),
  }),
  example: { query: { kind: 'level' } },
  answers: {
    200: z.object({ items: z.array(ownContentItem).describe('Newest first.'), next: nextCursor }),
  },
  errors: ['not_found'],
});

export const readOwnContentItem = defineOperation({
  ...moderation,
  ...itemOfSpace,
  id: 'readOwnContentItem',
  method: 'GET',
  summary: 'One thing that a player has made in a space of the caller’s own, with what it holds.',
  answers: { 200: ownContentItem.extend({ data: contentData }) },
  errors: ['not_found'],
});

export const deleteOwnContent = defineOperation({
  ...moderation,
  ...itemOfSpace,
  id: 'deleteOwnContent',
  method: 'DELETE',
  summary: 'Delete something that a player has made in a space of the caller’s own, with its likes.',
  more: 'If you ban its maker, everything they made here is hidden from everyone else while the ban lasts.',
  answers: { 200: z.object({ deleted: yes }) },
  errors: ['forbidden', 'not_found'],
});
