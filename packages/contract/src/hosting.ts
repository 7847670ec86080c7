import { z } from 'zod';
import { declarationsShape } from './declarations.ts';
import type { ErrorCode } from './errors.ts';
import { defineOperation } from './operation.ts';
import { digits, slugParameter, timestamp } from './primitives.ts';
import { spaceFieldsPatchSchema } from './spaces.ts';
import {
  fileEntry,
  maxFiles,
  maxWaitSeconds,
  previewPageUrl,
  uploadEntry,
  versionFiles,
  versionLimits,
  versionRead,
} from './versions.ts';

export const versionParams = z.object({ id: z.string().max(200) });
export const spaceParams = z.object({ slug: slugParameter });
const claim = z.string().max(200).optional().meta({ description: 'The claim token of an unlisted publish.' });

/** What can be wrong with a claim token. */
export const claims = ['claim_not_found', 'claim_expired', 'claim_spent'] as const;

/** What can be wrong with what is published, in however many calls it comes. */
export const publishErrors = [
  ...claims,
  'claim_no_profile',
  'claim_banned',
  'invalid_fields',
  'invalid_files',
  'invalid_declaration',
  'no_entry',
  'too_large',
  'too_many_files',
  'too_many',
  'not_owner',
  'not_found',
  'removed',
  'held',
  'rate_limited',
  'no_handle',
  'forbidden',
  'cross_site',
] as const satisfies readonly ErrorCode[];

/** Paths that a version adds to another, changes and takes away. */
export const versionDiff = z.object({
  added: z.array(z.string()),
  changed: z.array(z.string()),
  removed: z.array(z.string()),
  unchanged: z.number().int(),
});

/** Which code a failed part of the create body answers with (interface, "Hosting codes"). */
export function createIssueCode(path: readonly PropertyKey[], kind: string): ErrorCode {
  const field = String(path[0] ?? '');
  if (field === 'fields' && path.length > 1) return 'invalid_fields';
  if (field === 'files' && path.length > 1) return 'invalid_files';
  if (field === 'files' && kind === 'too_big') return 'too_many_files';
  if (Object.hasOwn(declarationsShape, field)) return 'invalid_declaration';
  return 'invalid_request';
}

export const createVersion = defineOperation({
  id: 'createVersion',
  method: 'POST',
  path: '/api/v1/hosting/versions',
  summary:
    'Create a version: the first of three calls. The answer has upload links for the files that the service lacks.',
  tag: 'Hosting',
  credential: 'token_or_none',
  scope: 'publish',
  space: 'in_body',
  edge: 'hosting',
  body: z.strictObject({
    space: z
      .string()
      .max(200)
      .optional()
      .meta({ description: "A slug of the caller's own; omitted for a new space." }),
    fields: spaceFieldsPatchSchema
      .optional()
      .meta({ description: 'The listing fields (spaceFieldsSchema); a new space needs the required ones.' }),
    files: z.array(fileEntry).min(1).max(maxFiles),
    ...declarationsShape,
    claim,
    dryRun: z.boolean().optional().meta({ description: 'Validate everything, keep nothing.' }),
  }),
  // Two thousand files with long paths and full declarations.
  maxBodyBytes: 4 * 1024 * 1024,
  issueCode: createIssueCode,
  answers: {
    201: z.object({
      version: z.object({ id: z.string(), number: z.number().int() }),
      space: z.object({ slug: z.string(), url: z.string() }),
      uploads: z.array(uploadEntry),
      limits: versionLimits,
      pageUrl: z.string().optional(),
      expiresAt: timestamp.optional(),
      claimToken: z.string().optional(),
      claimUrl: z.string().optional().meta({
        description: 'The page where a person takes the space over, with the claim token in its fragment.',
      }),
    }),
    200: z.object({
      dryRun: z.literal(true),
      missing: z.object({ files: z.number().int(), bytes: z.number().int() }),
      diff: versionDiff,
      limits: versionLimits,
    }),
  },
  errors: [...publishErrors, 'missing_fields'],
});

export const freshUploads = defineOperation({
  id: 'freshUploads',
  method: 'POST',
  path: '/api/v1/hosting/versions/{id}/uploads',
  summary: 'Fresh upload links for the files still missing: how a client resumes.',
  tag: 'Hosting',
  credential: 'token_or_claim',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  answers: { 200: z.object({ uploads: z.array(uploadEntry) }) },
  errors: [...claims, 'not_found'],
});

export const finishVersion = defineOperation({
  id: 'finishVersion',
  method: 'POST',
  path: '/api/v1/hosting/versions/{id}/finish',
  summary: 'Finish a version, as a preview (the default) or for production.',
  tag: 'Hosting',
  credential: 'token_or_claim',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  body: z.strictObject({ preview: z.boolean().default(true), claim }).prefault({}),
  answers: {
    200: z.object({
      status: z.enum(['preview', 'checking']),
      previewUrl: z.string().optional(),
      previewPageUrl,
      watchUrl: z.string(),
      next: z.string().optional().meta({
        description: 'For a preview: how to make its files live.',
      }),
    }),
  },
  errors: [
    ...claims,
    'claim_no_profile',
    'claim_banned',
    'sign_in_required',
    'not_found',
    'missing_uploads',
    'invalid_files',
    'checks_busy',
    'not_hosted',
    'removed',
    'held',
    'forbidden',
    'invalid_declaration',
    'too_many',
    'cross_site',
  ],
});

export const readVersion = defineOperation({
  id: 'readVersion',
  method: 'GET',
  path: '/api/v1/hosting/versions/{id}',
  summary:
    'The status of a version; with `wait`, as soon as it changes, and of a preview as soon as its report is there.',
  tag: 'Hosting',
  credential: 'token_or_claim',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  query: z.strictObject({
    wait: digits(0, maxWaitSeconds).optional().meta({ description: 'Seconds, 0 to 30.' }),
  }),
  answers: { 200: versionRead },
  errors: [...claims, 'not_found'],
});

export const readVersionFiles = defineOperation({
  id: 'readVersionFiles',
  method: 'GET',
  path: '/api/v1/hosting/versions/{id}/files',
  summary: 'The files of a version, its declarations, and what changed since another one.',
  tag: 'Hosting',
  credential: 'token_or_claim',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  query: z.strictObject({
    against: digits(1).optional().meta({
      description: 'The number of a version of the same space; the finished one before it where absent.',
    }),
  }),
  answers: { 200: versionFiles },
  errors: [...claims, 'not_found'],
});

export const readClaim = defineOperation({
  id: 'readClaim',
  method: 'GET',
  path: '/api/v1/hosting/claim',
  summary: 'The unlisted page that a claim token opens.',
  tag: 'Hosting',
  credential: 'claim',
  edge: 'hosting',
  answers: { 200: z.object({ pageUrl: z.string(), expiresAt: timestamp }) },
  errors: [...claims],
});
