import { z } from 'zod';
import { checkReport, versionFiles } from './hosting.ts';
import { defineOperation } from './operation.ts';
import { common, pageQuery, reason } from './operators.ts';
import { timestamp } from './primitives.ts';
import { spaceStates } from './spaces.ts';

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
    preview: z.boolean().meta({ description: 'It was a preview: approving shows it as one again.' }),
    superseded: z.boolean().meta({ description: 'A newer version is live: approving would leave it so.' }),
  })
  .meta({ id: 'Review' });
export type Review = z.output<typeof review>;

export const readReviews = defineOperation({
  ...common,
  id: 'readReviews',
  method: 'GET',
  path: '/api/operator/reviews',
  summary: 'Versions whose creators asked for a review that nobody has decided yet, oldest request first.',
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
    'Approve a version, which makes it live unless a newer one is (a preview is shown again as one), or decline it, which keeps its status. Once.',
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
