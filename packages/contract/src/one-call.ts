import { z } from 'zod';
import { createIssueCode, publishErrors, versionDiff } from './hosting.ts';
import { defineOperation } from './operation.ts';
import { digits, timestamp } from './primitives.ts';
import { checkReport, previewPageUrl, versionStatuses } from './versions.ts';

/** What a folder comes in; the bytes decide which of the archives it is. */
export const archiveTypes = [
  'application/zip',
  'application/x-tar',
  'application/gzip',
  'multipart/form-data',
] as const;
export const maxPublishWaitSeconds = 60;
export const usualPublishWaitSeconds = 25;

/** Bytes to send: all at once, or as they come. */
export type ArchiveBody = Uint8Array | Blob | AsyncIterable<Uint8Array>;

const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');
const text = (description: string) => z.string().max(1_000).optional().meta({ description });

export const publishArchive = defineOperation({
  id: 'publishArchive',
  method: 'POST',
  path: '/api/v1/hosting/publish',
  summary:
    'Publish a folder in one call: a zip, tar or tar.gz archive, or its files as form data. A single top folder is taken off, and `service.json` is read.',
  tag: 'Hosting',
  credential: 'token_or_none',
  scope: 'publish',
  space: 'in_archive',
  edge: 'hosting',
  query: z.strictObject({
    title: text('The name of the space; for a new one, its page’s where absent.'),
    type: text('What kind of thing it is (`space_type`); for a new space, `game` where absent.'),
    devices: text('What it can be used with, with commas between; for a new space, guessed where absent.'),
    space: text("A slug of the caller's own; omitted for a new space."),
    live: flag
      .optional()
      .meta({ description: 'Publish for production, which needs an account. If absent: publish a preview.' }),
    entry: text('The page that opens. Default: index.html'),
    spa: flag.optional().meta({ description: 'Unknown paths without a file extension open the entry.' }),
    wait: digits(0, maxPublishWaitSeconds)
      .optional()
      .meta({
        description: `For how many seconds to wait for the verdict, of a preview for its report; ${usualPublishWaitSeconds} where absent.`,
      }),
  }),
  body: z.custom<ArchiveBody>(
    (value) => typeof value === 'object' && value !== null,
    'must be a zip, tar or tar.gz archive, or form data with files',
  ),
  media: archiveTypes,
  streams: true,
  issueCode: createIssueCode,
  answers: {
    201: z.object({
      space: z.object({ slug: z.string(), url: z.string() }),
      version: z.object({ id: z.string(), number: z.number().int() }),
      status: z.enum(versionStatuses),
      reason: z.string().optional(),
      pageUrl: z.string(),
      previewUrl: z.string().optional(),
      previewPageUrl,
      watchUrl: z
        .string()
        .meta({ description: 'Where to read the status of the version, if `wait` was too short.' }),
      claimUrl: z.string().optional().meta({
        description: 'The page where a person takes the space over, with the claim token in its fragment.',
      }),
      claimToken: z.string().optional(),
      expiresAt: timestamp.optional(),
      diff: versionDiff,
      leftOut: z.array(z.string()).optional().meta({
        description: 'Paths of the archive that are not published, at most 50: dotfiles and node_modules.',
      }),
      report: checkReport.optional(),
    }),
  },
  errors: [...publishErrors, 'sign_in_required', 'checks_busy'],
});
