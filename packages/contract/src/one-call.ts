import { z } from 'zod';
import {
  claimFields,
  createIssueCode,
  publishErrors,
  publishedSpace,
  publishedVersion,
  repeats,
} from './hosting.ts';
import { defineOperation } from './operation.ts';
import { digits } from './primitives.ts';
import {
  checkReport,
  checkStopped,
  previewPageUrl,
  previewUrl,
  versionDiff,
  versionStatus,
} from './versions.ts';

/** Content types for a folder as an archive. The bytes decide the kind of archive, not the type. */
export const archiveTypes = [
  'application/zip',
  'application/x-tar',
  'application/gzip',
  'multipart/form-data',
] as const;
export const maxPublishWaitSeconds = 60;
export const usualPublishWaitSeconds = 25;

/** Bytes to send, all at once or as a stream. */
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
    title: text('The name of the space. If absent: for a new one, the title of its page.'),
    type: text('The type of the space (`space_type`). If absent: for a new one, `game`.'),
    devices: text('What it can be used with, separated by commas. If absent: guessed for a new space.'),
    tags: text('Words to find it by, separated by commas, instead of `tags` in service.json.'),
    space: text("A slug of the caller's own; omitted for a new space."),
    live: flag
      .optional()
      .meta({ description: 'Publish for production, which needs an account. If absent: publish a preview.' }),
    entry: text('The page that opens. Default: index.html'),
    spa: flag.optional().meta({ description: 'Unknown paths without a file extension open the entry.' }),
    wait: digits(0, maxPublishWaitSeconds)
      .optional()
      .meta({
        description: `How many seconds to wait for the verdict, or for the report of a preview. If absent: ${usualPublishWaitSeconds}.`,
      }),
  }),
  body: z.custom<ArchiveBody>(
    (value) => typeof value === 'object' && value !== null,
    'must be a zip, tar or tar.gz archive, or form data with files',
  ),
  media: archiveTypes,
  streams: true,
  issueCode: createIssueCode,
  example: { query: { title: 'Moon Hopper', type: 'game', devices: 'desktop,mobile' } },
  more: `For the next version send the whole folder again: a file that is not in it is not in the version. Read \`report.findings\` of the answer, of a live version too; publish a preview again with \`live=true\` to promote it. ${repeats}`,
  answers: {
    201: z.object({
      space: publishedSpace,
      version: publishedVersion,
      status: versionStatus,
      reason: z.string().optional().describe('Why it was refused or not judged, or waits.'),
      stopped: checkStopped,
      pageUrl: z.string().describe('The page of the space.'),
      previewUrl,
      previewPageUrl,
      watchUrl: z
        .string()
        .meta({ description: 'Where to read the status of the version, if `wait` was too short.' }),
      ...claimFields,
      diff: versionDiff.describe(
        'The changes to what the page shows now: the live version, or without an account the newest.',
      ),
      leftOut: z.array(z.string()).optional().meta({
        description: 'Paths of the archive that are not published, at most 50: dotfiles and node_modules.',
      }),
      report: checkReport
        .optional()
        .describe('What the safety check found, unless `wait` was too short. Read it of a live version too.'),
    }),
  },
  errors: [...publishErrors, 'sign_in_required', 'checks_busy'],
});
