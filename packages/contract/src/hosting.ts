import { z } from 'zod';
import { declarationsShape } from './declarations.ts';
import type { ErrorCode } from './errors.ts';
import { defineOperation } from './operation.ts';
import { digits, queriedVersion, slugParameter, timestamp, yes } from './primitives.ts';
import { spaceFieldsPatchSchema } from './spaces.ts';
import {
  fileEntry,
  maxFiles,
  maxWaitSeconds,
  previewPageUrl,
  previewUrl,
  uploadBatch,
  uploadEntry,
  versionDiff,
  versionFiles,
  versionId,
  versionLimits,
  versionNumber,
  versionRead,
} from './versions.ts';

export const versionParams = z.object({
  id: z.string().max(200).describe('The id of a version, as the answer to `createVersion` has it.'),
});
export const spaceParams = z.object({ slug: slugParameter });
const claim = z.string().max(200).optional().meta({ description: 'The claim token of an unlisted publish.' });

/** Earlier servers do not have it, and no client has to use it. */
const batch = uploadBatch
  .optional()
  .describe('A shorter way for many small files: several in one request. See `uploadFiles`.');

/** Error codes of a claim token. */
export const claims = ['claim_not_found', 'claim_expired', 'claim_spent'] as const;

/** Error codes of a publish, in one call or several. */
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
  'conflict',
] as const satisfies readonly ErrorCode[];

/** The answer's fields about the space, for a publish in one call or several. */
export const publishedSpace = z
  .object({
    slug: z.string().describe('The name of the space in addresses and calls.'),
    url: z.string().describe('The address where the live version runs.'),
  })
  .describe('The space of the version.');
export const publishedVersion = z
  .object({ id: versionId, number: versionNumber })
  .describe('The new version.');
/** The answer's additional fields for a page without an account. */
export const claimFields = {
  claimToken: z
    .string()
    .optional()
    .describe('Without an account: the right to the page. It is in the first answer only; keep it.'),
  claimUrl: z
    .string()
    .optional()
    .describe('The page where a person takes the space over, with the claim token in its fragment.'),
  expiresAt: timestamp.optional().describe('Without an account: when the page ends, unless it is claimed.'),
};

/** What the Idempotency-Key of a publish does, in one call or several. */
export const repeats =
  'A random `Idempotency-Key` header (a UUID, say) makes a repeat safe: for a day the same request with the same key makes nothing new, and is answered as the first was, with `Idempotent-Replayed: true`.';

/** Returns the error code for a wrong part of the create body, which has more codes than other bodies. */
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
    files: z
      .array(fileEntry)
      .min(1)
      .max(maxFiles)
      .describe('The whole folder: a file that is not named is not in the version.'),
    ...declarationsShape,
    claim,
    dryRun: z.boolean().optional().meta({ description: 'Validate everything, keep nothing.' }),
  }),
  // Enough for two thousand files with long paths, and full declarations.
  maxBodyBytes: 4 * 1024 * 1024,
  issueCode: createIssueCode,
  example: {
    body: {
      fields: { title: 'Moon Hopper', space_type: 'game', devices: ['desktop'] },
      files: [
        {
          path: 'index.html',
          size: 42,
          sha256: '64757c61b33e2b9a0d92228262b4492edb385bcabb0a45fe88c5984d0dfa2181',
        },
      ],
    },
  },
  more: `Then PUT each file to its link, and call \`finishVersion\`. Without an account the page is unlisted and lasts a week; \`claimToken\` publishes its next versions. \`publishArchive\` does all of it in one call. ${repeats}`,
  answers: {
    201: z.object({
      version: publishedVersion,
      space: publishedSpace,
      uploads: z.array(uploadEntry).describe('The files that the service lacks; may be empty.'),
      batch,
      limits: versionLimits.describe('The limits for the caller.'),
      pageUrl: z.string().optional().describe('Without an account: the page of the space.'),
      ...claimFields,
    }),
    200: z.object({
      dryRun: yes,
      missing: z
        .object({
          files: z.number().int().describe('How many.'),
          bytes: z.number().int().describe('The size of all these files, in bytes.'),
        })
        .describe('The files that would have to be uploaded.'),
      diff: versionDiff.describe(
        'The changes to what the page shows now: the live version, or without an account the newest.',
      ),
      limits: versionLimits.describe('The limits for the caller.'),
    }),
  },
  errors: [...publishErrors, 'missing_fields', 'sign_in_required'],
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
  answers: {
    200: z.object({
      uploads: z.array(uploadEntry).describe('The files that are still missing.'),
      batch,
    }),
  },
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
  body: z
    .strictObject({
      preview: z
        .boolean()
        .default(true)
        .describe(
          'A preview, or for production. This is decided once: a preview never becomes live by itself.',
        ),
      claim,
    })
    .prefault({}),
  example: { body: { preview: true } },
  more: 'A preview stays a preview. To make its files live, create a version of the same files again and finish it with `preview: false`; nothing is uploaded twice.',
  answers: {
    200: z.object({
      status: z.enum(['preview', 'checking']).describe('`checking`: the safety check decides.'),
      previewUrl,
      previewPageUrl,
      watchUrl: z.string().describe('The address of `readVersion` for it.'),
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
    'The status of a version. With `wait` the answer comes as soon as the status changes; for a preview, as soon as its report is there.',
  tag: 'Hosting',
  credential: 'token_or_claim',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  query: z.strictObject({
    wait: digits(0, maxWaitSeconds).optional().meta({ description: 'Seconds, 0 to 30.' }),
  }),
  example: { query: { wait: 30 } },
  more: 'Stop asking at `preview` with its `report`, `live`, `refused`, `unjudged`, or when `stopped` is true. Read `report.findings` of every version.',
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
    against: queriedVersion.optional().meta({
      description:
        'The number of the version of the same space to compare with. If absent: the finished one before it.',
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
  answers: {
    200: z.object({
      pageUrl: z.string().describe('The page of the space.'),
      expiresAt: timestamp.describe('When it ends, unless it is claimed.'),
    }),
  },
  errors: [...claims],
});
