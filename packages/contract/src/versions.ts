import { z } from 'zod';
import { declarationsSchema } from './declarations.ts';
import { sha256, timestamp } from './primitives.ts';
import { spaceFieldsPatchSchema } from './spaces.ts';

export const versionStatuses = ['uploading', 'preview', 'checking', 'live', 'refused', 'unjudged'] as const;
export type VersionStatus = (typeof versionStatuses)[number];
export const maxFiles = 2_000;
export const maxWaitSeconds = 30;
export const claimHeader = 'x-service-claim';

/** The page of the service that frames a preview as the space's page frames what is live. */
export const previewPage = z.string().meta({
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
