import { z } from 'zod';
import { declarationsSchema } from './declarations.ts';
import { portalNames } from './portals.ts';
import { createdAt, sha256, timestamp } from './primitives.ts';
import { spaceFieldsPatchSchema } from './spaces.ts';

export const versionStatuses = ['uploading', 'preview', 'checking', 'live', 'refused', 'unjudged'] as const;
export type VersionStatus = (typeof versionStatuses)[number];
export const versionStatus = z
  .enum(versionStatuses)
  .describe(
    '`uploading`: files are missing. `preview`: shown by its links, never live. `checking`: it goes live if it passes. `live`: it passed. `refused`: a rule found harm. `unjudged`: the check could not decide.',
  );
export const versionId = z.string().describe('The id that calls about the version take.');
export const versionNumber = z.number().int().describe('Counts from 1 in its space.');
const versionName = { id: versionId, number: versionNumber };
export const maxFiles = 2_000;
export const maxWaitSeconds = 30;
export const claimHeader = 'x-service-claim';

/** The page of the service that frames a preview, as the space's page frames the live version. */
export const previewPage = z.string().meta({
  description:
    'The page that frames the preview, with boards and saves of the sandbox; it ends with the link.',
});
export const previewPageUrl = previewPage.optional();
export const previewUrl = z
  .string()
  .optional()
  .describe('Where this version runs, for everyone with the link, for 24 hours.');

/** Paths that a version adds, changes and removes, compared to another. */
export const versionDiff = z.object({
  added: z.array(z.string()).describe('Paths that are new.'),
  changed: z.array(z.string()).describe('Paths whose bytes changed.'),
  removed: z.array(z.string()).describe('Paths that are gone.'),
  unchanged: z.number().int().describe('How many files are the same.'),
});

// The rules for paths are in paths.ts. The operation's function checks them, and names all bad paths at once.
export const fileEntry = z
  .strictObject({
    path: z
      .string()
      .max(1_000)
      .meta({ description: 'Its path in the folder, separated by `/`.', examples: ['index.html'] }),
    size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).describe('In bytes.'),
    sha256: sha256.describe('The SHA-256 of its bytes, in lower-case hex digits.'),
  })
  .meta({ id: 'FileEntry' });
export type FileEntry = z.output<typeof fileEntry>;

export const uploadEntry = z
  .object({
    sha256: sha256.describe('Which file: the hash that was declared.'),
    url: z.string().describe('Where its bytes go, with PUT and without a credential.'),
  })
  .meta({ id: 'UploadEntry' });
export type UploadEntry = z.output<typeof uploadEntry>;

export const uploadBatch = z
  .object({
    url: z
      .string()
      .describe('Where several small files go in one request, with POST and without a credential.'),
    maxFileBytes: z.number().int().describe('Larger files are sent to their own links.'),
  })
  .meta({ id: 'UploadBatch' });
export type UploadBatch = z.output<typeof uploadBatch>;

export const versionLimits = z
  .object({
    maxFiles: z.number().int().describe('Files of a version.'),
    maxFileBytes: z.number().int().describe('Bytes of one file.'),
    maxVersionBytes: z.number().int().describe('Bytes of all files of a version.'),
    uploadLinkSeconds: z.number().int().describe('How long an upload link is good for.'),
    maxBoards: z.number().int().describe('Boards of a space.'),
    maxStats: z.number().int().describe('Stats of a space.'),
    maxAchievements: z.number().int().describe('Achievements of a space.'),
  })
  .meta({ id: 'VersionLimits' });
export type VersionLimits = z.output<typeof versionLimits>;

export const findingSeverities = ['refuse', 'unjudged', 'warn'] as const;
export const finding = z
  .object({
    rule: z.string().describe('The name of the rule.'),
    severity: z
      .enum(findingSeverities)
      .describe(
        '`refuse`: it found harm. `unjudged`: the check could not decide. `warn`: it may be published as it is.',
      ),
    path: z.string().optional().describe('The file.'),
    line: z.number().int().optional().describe('From 1.'),
    message: z.string().describe('What was found.'),
    fix: z.string().meta({ description: 'What to change, for the person or agent who made it.' }),
  })
  .meta({ id: 'Finding' });
export type Finding = z.output<typeof finding>;

export const pageError = z
  .object({
    message: z.string().describe('The message, as the browser gives it.'),
    file: z.string().optional().meta({ description: 'A path of the version, or an address elsewhere.' }),
    line: z.number().int().optional().meta({ description: 'From 1.' }),
    column: z.number().int().optional().meta({ description: 'From 1.' }),
    stack: z.string().optional().meta({ description: 'One call a line, with paths of the version.' }),
  })
  .meta({ id: 'PageError' });
export type PageError = z.output<typeof pageError>;

export const pageReport = z
  .object({
    loaded: z.boolean().describe('Whether the page answered and was loaded.'),
    consoleErrors: z
      .array(z.string())
      .meta({ description: 'Errors of the page, each as `message (file:line:column)`.' }),
    errors: z
      .array(pageError)
      .optional()
      .meta({ description: 'The same errors in parts, with their stacks.' }),
    failedRequests: z
      .array(
        z.object({
          url: z.string().describe('What was asked for.'),
          reason: z.string().describe('Why the page did not get it.'),
          hint: z.string().optional().describe('What may help.'),
        }),
      )
      .describe('What the page asked for and did not get.'),
    portals: z
      .array(z.enum(portalNames))
      .optional()
      .meta({ description: "Other portals' SDKs that it loaded, and that the service answered." }),
    blank: z.boolean().describe('Whether nothing was visible.'),
    loadMs: z.number().int().describe('Milliseconds until it was loaded.'),
    bytes: z.number().int().describe('Bytes that were sent for it.'),
    clipUrl: z.string().optional().describe('A picture of what was seen.'),
  })
  .meta({ id: 'PageReport' });
export type PageReport = z.output<typeof pageReport>;

export const checkReport = z
  .object({
    findings: z.array(finding).describe('What the rules found; may be empty.'),
    page: pageReport.optional().describe('What a browser saw, if one opened it.'),
  })
  .meta({ id: 'CheckReport' });
export type CheckReport = z.output<typeof checkReport>;

export const reviewRead = z
  .object({
    requestedAt: timestamp.describe('When it was asked for.'),
    decidedAt: timestamp.optional().meta({ description: 'When an operator of the service decided.' }),
    outcome: z.enum(['live', 'preview', 'superseded', 'declined']).optional().meta({
      description:
        '`live`: approved and live. `preview`: approved, and shown as a preview again. `superseded`: approved; the newer version stays live. `declined`: not approved; `reason` says why.',
    }),
  })
  .meta({ id: 'ReviewRead' });
export type ReviewRead = z.output<typeof reviewRead>;

export const checkStopped = z
  .boolean()
  .optional()
  .describe('True: the check has stopped; `reason` says why. The status does not change by itself any more.');

export const versionRead = z
  .object({
    ...versionName,
    status: versionStatus,
    reason: z.string().optional().describe('Why it was refused or not judged, or waits.'),
    shownOnTake: z.number().int().optional().describe('The number of the picture that shows it.'),
    pageUrl: z.string().describe('The page of the space.'),
    previewUrl,
    previewPageUrl,
    createdAt,
    liveAt: timestamp.optional().describe('When it last went live.'),
    reviewRequested: z.boolean().describe('Whether a person was asked to look at it.'),
    review: reviewRead.optional().meta({ description: 'The review by a person, if one was asked for.' }),
    stopped: checkStopped,
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
    ...versionName,
    status: versionStatus,
    createdAt,
    live: z.boolean().meta({ description: 'True for the one version served now.' }),
    files: z.number().int().describe('How many files it has.'),
    size: z.number().int().meta({ description: 'Bytes of all its files.' }),
    reason: z.string().optional().describe('Why it was refused or not judged.'),
    liveAt: timestamp.optional().describe('When it last went live.'),
    rollback: z.boolean().meta({ description: 'True if it can be rolled back to.' }),
    reviewable: z.boolean().meta({ description: 'True if a review of it can be asked for.' }),
    leftBehind: z
      .boolean()
      .meta({ description: 'Made before the space moved to a live URL; it can only be previewed.' }),
  })
  .meta({ id: 'VersionListEntry' });
export type VersionListEntry = z.output<typeof versionListEntry>;

/** The files of a version, and its changes. */
export const versionFiles = z
  .object({
    files: z.array(fileEntry).meta({ description: 'By path.' }),
    fields: spaceFieldsPatchSchema.meta({ description: 'The listing fields of the version.' }),
    declarations: declarationsSchema.describe('What its service.json declares.'),
    diff: versionDiff
      .extend({
        against: z.number().int().nullable().meta({
          description: 'The number of the version it is compared with; null if there is none before it.',
        }),
      })
      .describe('The changes.'),
  })
  .meta({ id: 'VersionFiles' });
export type VersionFiles = z.output<typeof versionFiles>;
