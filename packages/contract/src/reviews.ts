import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common, pageQuery, reason } from './operators.ts';
import { timestamp } from './primitives.ts';
import { spaceStates } from './spaces.ts';
import { checkReport, versionFiles } from './versions.ts';

/** Versions that their creators ask a person to look at, and what operators decide (contract §7, 10). */
const idParams = z.object({ id: z.string().max(200) });

export const review = z
  .object({
    id: z.string().meta({ description: "The version's id." }),
    number: z.number().int(),
    space: z.object({
      slug: z.string(),
      title: z.string(),
      state: z.enum(spaceStates),
      owner: z.string().nullable(),
      service_url: z.string(),
    }),
    status: z.enum(['refused', 'unjudged']),
    reason: z.string().nullable(),
    report: checkReport.nullable(),
    files: z.number().int(),
    bytes: z.number().int(),
    created_at: timestamp,
    requested_at: timestamp,
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
  answers: { 200: z.object({ reviews: z.array(review), next: z.string().nullable() }) },
  errors: [],
});

export const previewReview = defineOperation({
  ...common,
  id: 'previewReview',
  method: 'POST',
  path: '/api/operator/reviews/{id}/preview',
  summary: 'A link for the operator to look at a version under review, refused or not. It lasts an hour.',
  params: idParams,
  answers: { 200: z.object({ preview_url: z.string(), expires_at: timestamp }) },
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
  body: z.strictObject({ decision: z.enum(['approve', 'decline']), reason }),
  answers: {
    200: z.object({
      id: z.string(),
      outcome: z.enum(['live', 'preview', 'superseded', 'declined']).meta({
        description: '`superseded`: approved, and left as it was because a newer version is live.',
      }),
      status: z.enum(['live', 'preview', 'refused', 'unjudged']),
    }),
  },
  errors: ['not_found', 'conflict', 'held', 'removed', 'space_unavailable', 'not_hosted'],
});
