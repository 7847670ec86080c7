import { z } from 'zod';
import type { publishArchive } from '../one-call.ts';
import { maxPublishWaitSeconds, usualPublishWaitSeconds } from '../one-call.ts';
import type { AnswerOf } from '../operation.ts';
import { deviceTypes, maxTags, spaceTypes, tagSchema } from '../spaces.ts';
import { maxFiles } from '../versions.ts';
import { checkedOf, checkedShape, nextFor, nextStep } from './checked.ts';
import { defineTool, type PublishWish } from './tool.ts';

/** Clients give up a call after a minute, with the time that its files took. */
const longestWaitSeconds = 45;

const file = z
  .strictObject({
    path: z.string().max(1_000).meta({ description: 'Relative, with slashes: index.html, js/game.js' }),
    text: z.string().optional().meta({ description: 'The content of the file, if it is text.' }),
    base64: z.base64().optional().meta({ description: 'The content of the file, if it is not text.' }),
  })
  .refine(({ text, base64 }) => (text === undefined) !== (base64 === undefined), {
    message: 'must have either text or base64',
  });

export const publishInput = z.strictObject({
  files: z.array(file).min(1).max(maxFiles).meta({
    description:
      'The whole folder, each time, with an index.html: a file that is not named is not in the new version. Built files, not sources.',
  }),
  title: z
    .string()
    .max(80)
    .optional()
    .meta({ description: 'For a new space. If absent: the title of its page.' }),
  type: z.enum(spaceTypes).optional().meta({ description: 'For a new space. If absent: `game`.' }),
  devices: z
    .array(z.enum(deviceTypes))
    .optional()
    .meta({ description: 'What it can be played with. If absent: guessed for a new space.' }),
  tags: z
    .array(tagSchema)
    .max(maxTags)
    .optional()
    .meta({ description: 'Words to find it by in the gallery.' }),
  space: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Slug of your space to publish to; without it a new one is made. Needs a token.' }),
  live: z.boolean().optional().meta({
    description: 'Publish for everyone, once the check passes. Needs a token. If absent: a preview.',
  }),
  claim: z.string().max(200).optional().meta({
    description: 'claimToken of an earlier publish without a token: makes the next version of that page.',
  }),
  wait: z
    .number()
    .int()
    .min(0)
    .max(maxPublishWaitSeconds)
    .optional()
    .meta({
      description: `Seconds to wait for the verdict, at most ${longestWaitSeconds}. If absent: ${usualPublishWaitSeconds}.`,
    }),
});

export const publishOutput = z.object({
  space: z.string().meta({ description: 'The slug of the space.' }),
  number: z.number().int(),
  versionId: z.string().meta({ description: 'What `status` takes.' }),
  ...checkedShape,
  pageUrl: z.string().meta({ description: 'The page to give to the person.' }),
  previewUrl: z.string().optional(),
  claimUrl: z.string().optional().meta({
    description: 'Where a person takes over a page that was published without a token.',
  }),
  claimToken: z.string().optional().meta({ description: 'Keep it: the next publish to the page takes it.' }),
  expiresAt: z.string().optional().meta({ description: 'When an unclaimed page ends.' }),
  added: z.array(z.string()).optional(),
  changed: z.array(z.string()).optional(),
  removed: z.array(z.string()).optional(),
  leftOut: z.array(z.string()).optional(),
  next: nextStep,
});

export const publishTool = defineTool({
  name: 'publish',
  title: 'Publish a folder',
  description:
    'Publishes a web game or web app and answers its address, with what the check found. Without a token the page is unlisted and ends after a week unless a person claims it; with one it goes to their account.',
  input: publishInput,
  output: publishOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  example: {
    files: [{ path: 'index.html', text: '<!doctype html><title>My game</title>…' }],
    title: 'My game',
    type: 'game',
    devices: ['desktop'],
  },
  scopeOf: ({ live, space }) => (live === true || space !== undefined ? 'publish' : null),
  run: async (given, host) => publishedOf(await host.publish(wishOf(given))),
});

/** Returns what a host publishes for the input of the tool. */
export function wishOf({
  files,
  title,
  type,
  devices,
  tags,
  space,
  live,
  claim,
  wait,
}: z.output<typeof publishInput>): PublishWish {
  return {
    files,
    claim,
    query: {
      ...(title !== undefined && { title }),
      ...(type !== undefined && { type }),
      ...(devices !== undefined && { devices: devices.join(',') }),
      ...(tags !== undefined && { tags: tags.join(',') }),
      ...(space !== undefined && { space }),
      ...(live === true && { live: 'true' as const }),
      ...(wait !== undefined && { wait: String(Math.min(wait, longestWaitSeconds)) }),
    },
  };
}

type Answer = AnswerOf<typeof publishArchive>;
type Told =
  | 'space'
  | 'version'
  | 'status'
  | 'reason'
  | 'stopped'
  | 'report'
  | 'pageUrl'
  | 'previewUrl'
  | 'claimUrl'
  | 'claimToken'
  | 'expiresAt'
  | 'leftOut';

/** Returns the tool's result for a publish, in one call or several. */
export function publishedOf(
  answer: Pick<Answer, Told> & Partial<Pick<Answer, 'diff'>>,
): z.output<typeof publishOutput> {
  const { space, version, pageUrl, previewUrl, claimUrl, claimToken, expiresAt, diff, leftOut } = answer;
  const about = {
    ...checkedOf(answer),
    versionId: version.id,
    pageUrl,
    claimUrl,
    isUnclaimed: claimUrl !== undefined,
  };
  return {
    space: space.slug,
    number: version.number,
    versionId: version.id,
    ...checkedOf(answer),
    pageUrl,
    ...(previewUrl !== undefined && { previewUrl }),
    ...(claimUrl !== undefined && { claimUrl }),
    ...(claimToken !== undefined && { claimToken }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(diff !== undefined && { added: diff.added, changed: diff.changed, removed: diff.removed }),
    ...(leftOut !== undefined && { leftOut }),
    next: nextFor(about),
  };
}
