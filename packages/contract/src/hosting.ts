import { z } from 'zod';
import { declarationsSchema, declarationsShape } from './declarations.ts';
import type { ErrorCode } from './errors.ts';
import { defineOperation } from './operation.ts';
import { digits, handle, sha256, slugParameter, timestamp } from './primitives.ts';
import { spaceFieldsPatchSchema } from './spaces.ts';

export const versionStatuses = ['uploading', 'preview', 'checking', 'live', 'refused', 'unjudged'] as const;
export type VersionStatus = (typeof versionStatuses)[number];
export const maxFiles = 2_000;
export const maxWaitSeconds = 30;
export const claimHeader = 'x-service-claim';

/** The page of the service that frames a preview as the space's page frames what is live. */
const previewPage = z.string().meta({
  description:
    'The page that frames the preview, with boards and saves of the sandbox; it ends with the link.',
});
export const previewPageUrl = previewPage.optional();

// The rules of a path are in paths.ts, looked at by the function, which names every bad path at once.
export const fileEntry = z
  .strictObject({
    path: z.string().max(1_000),
    size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
    sha256,
  })
  .meta({ id: 'FileEntry' });
export type FileEntry = z.output<typeof fileEntry>;

export const uploadEntry = z.object({ sha256, url: z.string() }).meta({ id: 'UploadEntry' });
export type UploadEntry = z.output<typeof uploadEntry>;

export const versionLimits = z
  .object({
    maxFiles: z.number().int(),
    maxFileBytes: z.number().int(),
    maxVersionBytes: z.number().int(),
    uploadLinkSeconds: z.number().int(),
    maxBoards: z.number().int(),
    maxStats: z.number().int(),
    maxAchievements: z.number().int(),
  })
  .meta({ id: 'VersionLimits' });
export type VersionLimits = z.output<typeof versionLimits>;

export const findingSeverities = ['refuse', 'unjudged', 'warn'] as const;
export const finding = z
  .object({
    rule: z.string(),
    severity: z.enum(findingSeverities),
    path: z.string().optional(),
    line: z.number().int().optional(),
    message: z.string(),
    fix: z.string().meta({ description: 'What to change, for the person or agent who made it.' }),
  })
  .meta({ id: 'Finding' });
export type Finding = z.output<typeof finding>;

export const pageError = z
  .object({
    message: z.string(),
    file: z.string().optional().meta({ description: 'A path of the version, or an address elsewhere.' }),
    line: z.number().int().optional().meta({ description: 'From 1.' }),
    column: z.number().int().optional().meta({ description: 'From 1.' }),
    stack: z.string().optional().meta({ description: 'One call a line, with paths of the version.' }),
  })
  .meta({ id: 'PageError' });
export type PageError = z.output<typeof pageError>;

export const pageReport = z
  .object({
    loaded: z.boolean(),
    consoleErrors: z
      .array(z.string())
      .meta({ description: 'Each with where it comes from, as `message (file:line:column)`.' }),
    errors: z
      .array(pageError)
      .optional()
      .meta({ description: 'The same errors in parts, with their stacks.' }),
    failedRequests: z.array(z.object({ url: z.string(), reason: z.string(), hint: z.string().optional() })),
    blank: z.boolean(),
    loadMs: z.number().int(),
    bytes: z.number().int(),
    clipUrl: z.string().optional(),
  })
  .meta({ id: 'PageReport' });
export type PageReport = z.output<typeof pageReport>;

export const checkReport = z
  .object({ findings: z.array(finding), page: pageReport.optional() })
  .meta({ id: 'CheckReport' });
export type CheckReport = z.output<typeof checkReport>;

export const reviewRead = z
  .object({
    requestedAt: timestamp,
    decidedAt: timestamp.optional().meta({ description: 'When an operator of the service decided.' }),
    outcome: z.enum(['live', 'preview', 'superseded', 'declined']).optional().meta({
      description:
        '`live`: approved, and live now. `preview`: approved, and shown as a preview again. `superseded`: approved; the newer version stays live. `declined`: not approved; `reason` says why.',
    }),
  })
  .meta({ id: 'ReviewRead' });
export type ReviewRead = z.output<typeof reviewRead>;

export const versionRead = z
  .object({
    id: z.string(),
    number: z.number().int(),
    status: z.enum(versionStatuses),
    reason: z.string().optional(),
    shownOnTake: z.number().int().optional(),
    pageUrl: z.string(),
    previewUrl: z.string().optional(),
    previewPageUrl,
    createdAt: timestamp,
    liveAt: timestamp.optional(),
    reviewRequested: z.boolean(),
    review: reviewRead.optional().meta({ description: 'The review by a person, if one was asked for.' }),
    stopped: z.boolean().optional(),
    missing: z
      .array(z.string())
      .optional()
      .meta({ description: 'Before finish: the files not uploaded yet.' }),
    report: checkReport.optional().meta({
      description:
        'What the safety check found. A preview has it too, soon after it is finished; with a finding of the severity `refuse` it becomes `refused`, and its links answer 410.',
    }),
  })
  .meta({ id: 'Version' });
export type VersionRead = z.output<typeof versionRead>;

export const versionListEntry = z
  .object({
    id: z.string(),
    number: z.number().int(),
    status: z.enum(versionStatuses),
    createdAt: timestamp,
    live: z.boolean().meta({ description: 'True for the one version served now.' }),
    files: z.number().int(),
    size: z.number().int().meta({ description: 'Bytes of all its files.' }),
    reason: z.string().optional(),
    liveAt: timestamp.optional(),
    rollback: z.boolean().meta({ description: 'True if it can be rolled back to.' }),
    reviewable: z.boolean().meta({ description: 'True if a review of it can be asked for.' }),
    leftBehind: z
      .boolean()
      .meta({ description: 'It was made before the space moved to a live URL, and can only be previewed.' }),
  })
  .meta({ id: 'VersionListEntry' });
export type VersionListEntry = z.output<typeof versionListEntry>;

const versionParams = z.object({ id: z.string().max(200) });
const spaceParams = z.object({ slug: slugParameter });
const claim = z.string().max(200).optional().meta({ description: 'The claim token of an unlisted publish.' });

const claims = ['claim_not_found', 'claim_expired', 'claim_spent'] as const;

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

/** What a version holds, and what that changes. */
export const versionFiles = z
  .object({
    files: z.array(fileEntry).meta({ description: 'By path.' }),
    fields: spaceFieldsPatchSchema.meta({ description: 'The listing fields that it brings along.' }),
    declarations: declarationsSchema,
    diff: z.object({
      against: z.number().int().nullable().meta({
        description: 'The number of the version it is compared with; null where there is none before it.',
      }),
      added: z.array(z.string()),
      changed: z.array(z.string()),
      removed: z.array(z.string()),
      unchanged: z.number().int(),
    }),
  })
  .meta({ id: 'VersionFiles' });
export type VersionFiles = z.output<typeof versionFiles>;

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

export const listVersions = defineOperation({
  id: 'listVersions',
  method: 'GET',
  path: '/api/v1/hosting/spaces/{slug}/versions',
  summary: 'The last 100 versions of a space, newest first.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  edge: 'hosting',
  params: spaceParams,
  answers: { 200: z.object({ versions: z.array(versionListEntry) }) },
  errors: ['not_found', 'not_owner'],
});

export const rollback = defineOperation({
  id: 'rollback',
  method: 'POST',
  path: '/api/v1/hosting/spaces/{slug}/rollback',
  summary: 'Put an earlier live version live again.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  edge: 'hosting',
  params: spaceParams,
  body: z.strictObject({
    version: z.number().int().min(1).meta({ description: 'The number of the version.' }),
  }),
  answers: {
    200: z.object({
      version: z.object({ number: z.number().int() }),
      status: z.literal('live'),
      pageUrl: z.string(),
    }),
  },
  errors: ['forbidden', 'not_found', 'not_owner', 'not_allowed', 'held', 'removed'],
});

export const newPreview = defineOperation({
  id: 'newPreview',
  method: 'POST',
  path: '/api/v1/hosting/versions/{id}/preview',
  summary: 'A new preview link, valid 24 hours.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  answers: {
    200: z.object({
      previewUrl: z.string(),
      previewPageUrl: previewPage,
      expiresAt: timestamp,
    }),
  },
  errors: ['forbidden', 'not_found', 'not_previewable', 'space_unavailable'],
});

export const requestReview = defineOperation({
  id: 'requestReview',
  method: 'POST',
  path: '/api/v1/hosting/versions/{id}/review',
  summary: 'Ask a person to review a refused or unjudged version; once per version.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  answers: { 200: z.object({ requestedAt: timestamp }) },
  errors: ['forbidden', 'not_found', 'not_refused', 'superseded', 'not_hosted', 'removed', 'held'],
});

export const deleteVersion = defineOperation({
  id: 'deleteVersion',
  method: 'DELETE',
  path: '/api/v1/hosting/versions/{id}',
  summary: 'Delete a version that is not the live one: its links and addresses answer 410 from now on.',
  tag: 'Hosting',
  credential: 'token',
  scope: 'publish',
  space: 'of_version',
  edge: 'hosting',
  params: versionParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['forbidden', 'not_found', 'not_allowed', 'held', 'removed'],
});

/** What a sandbox holds. */
export const sandboxCategories = ['scores', 'saves', 'achievements', 'content', 'rooms'] as const;
export type SandboxCategory = (typeof sandboxCategories)[number];

export const resetSandbox = defineOperation({
  id: 'resetSandbox',
  method: 'POST',
  path: '/api/v1/hosting/spaces/{slug}/reset',
  summary: "Delete a space's sandbox data: all of it, or by category and player. Live data is never touched.",
  tag: 'Hosting',
  credential: 'token',
  scope: 'moderate',
  edge: 'hosting',
  params: spaceParams,
  body: z
    .strictObject({
      categories: z
        .array(z.enum(sandboxCategories))
        .min(1)
        .refine((list) => new Set(list).size === list.length, 'must not repeat a category')
        .optional(),
      player: handle.optional(),
    })
    .prefault({}),
  answers: {
    200: z.object({
      deleted: z
        .partialRecord(z.enum(sandboxCategories), z.number().int())
        .meta({ description: 'Records deleted, for each category that was asked for.' }),
    }),
  },
  errors: ['forbidden', 'not_found', 'not_owner', 'no_player'],
});
