import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common, judgedSpace, pageQuery, reason } from './operators.ts';
import { createdAt, nextCursor, timestamp } from './primitives.ts';
import { checkReport, versionFiles } from './versions.ts';

/** Versions that their creators ask a person to look at, and what operators decide. */
const idParams = z.object({ id: z.string().max(200).describe('The id of the version.') });

export const review = z
  .object({
    id: z.string().meta({ description: "The version's id." }),
    number: z.number().int().describe('The number of the version.'),
    space: judgedSpace,
    status: z.enum(['refused', 'unjudged']).describe('What the safety check said.'),
    reason: z.string().nullable().describe('Why, in a sentence.'),
    report: checkReport.nullable().describe('What the safety check found.'),
    files: z.number().int().describe('How many files it has.'),
    bytes: z.number().int().describe('The size of all its files, in bytes.'),
    created_at: createdAt,
    requested_at: timestamp.describe('When its creator asked.'),
    preview: z.boolean().meta({ description: 'It is a preview. If it is approved, its links work again.' }),
    superseded: z
      .boolean()
      .meta({ description: 'A newer version is live, and stays live if this one is approved.' }),
  })
  .meta({ id: 'Review' });
export type Review = z.output<typeof review>;

export const readReviews = defineOperation({
  ...common,
  id: 'readReviews',
  method: 'GET',
  path: '/api/operator/reviews',
  summary: 'Versions that wait for a review by a person, the oldest request first.',
  query: z.strictObject(pageQuery),
  answers: { 200: z.object({ reviews: z.array(review).describe('The oldest first.'), next: nextCursor }) },
  errors: [],
});

export const previewReview = defineOperation({
  ...common,
  id: 'previewReview',
  method: 'POST',
  path: '/api/operator/reviews/{id}/preview',
  summary: 'A link for the operator to look at a version under review, refused or not. It lasts an hour.',
  params: idParams,
  answers: {
    200: z.object({
      preview_url: z.string().describe('Where the version is shown.'),
      expires_at: timestamp.describe('When the link ends.'),
    }),
  },
  errors: ['not_found'],
});

export const readReviewFiles = defineOperation({
  ...common,
  id: 'readReviewFiles',
  method: 'GET',
  path: '/api/operator/reviews/{id}/files',
  summary: 'The files of a version under review, and what changed since the one before it.',
  params: idParams,
  answers: { 200: versionFiles },
  errors: ['not_found'],
});

export const decideReview = defineOperation({
  ...common,
  id: 'decideReview',
  method: 'POST',
  path: '/api/operator/reviews/{id}',
  summary:
    'Decide a review, once. An approved version goes live, unless a newer one is live; an approved preview is shown again. A declined one keeps its status.',
  params: idParams,
  body: z.strictObject({
    decision: z.enum(['approve', 'decline']).describe('Whether it is let through.'),
    reason,
  }),
  example: { body: { decision: 'approve', reason: 'The form is for feedback.' } },
  answers: {
    200: z.object({
      id: z.string().describe('The id of the version.'),
      outcome: z.enum(['live', 'preview', 'superseded', 'declined']).meta({
        description: '`superseded`: approved, and left as it was because a newer version is live.',
      }),
      status: z.enum(['live', 'preview', 'refused', 'unjudged']).describe('The status of the version now.'),
    }),
  },
  errors: ['not_found', 'conflict', 'held', 'removed', 'space_unavailable', 'not_hosted'],
});
