import { z } from 'zod';
import { readVersion } from '../hosting.ts';
import { listVersions, rollback } from '../own-versions.ts';
import { timestamp } from '../primitives.ts';
import { maxWaitSeconds, versionListEntry } from '../versions.ts';
import { checkedOf, checkedShape, nextFor, nextStep, spaceInput } from './checked.ts';
import { defineTool, type ToolHost, ToolRefusal } from './tool.ts';

export const statusTool = defineTool({
  name: 'status',
  title: 'Status of a version',
  description:
    'Whether a version is live, a preview or refused, with what the check found. Takes a version, or a space for its newest one.',
  input: z.strictObject({
    version: z.string().min(1).max(200).optional().meta({ description: '`versionId` of a publish: ver_…' }),
    space: spaceInput.optional(),
    claim: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'claimToken of the publish, if it was made without a token.' }),
    wait: z.number().int().min(0).max(maxWaitSeconds).optional().meta({
      description: 'Seconds to wait for the verdict.',
    }),
  }),
  output: z.object({
    number: z.number().int(),
    versionId: z.string(),
    ...checkedShape,
    pageUrl: z.string(),
    previewUrl: z.string().optional(),
    liveAt: timestamp.optional(),
    next: nextStep,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { version: 'ver_…', wait: 20 },
  scopeOf: ({ claim }) => (claim === undefined ? 'publish' : null),
  async run({ version, space: slug, claim, wait }, host) {
    const id = version ?? (await newestOf(slug, host));
    const read = await host.call(readVersion, {
      params: { id },
      query: wait === undefined ? {} : { wait: String(wait) },
      claim,
    });
    const { number, pageUrl, previewUrl, liveAt } = read;
    const checked = checkedOf(read);
    return {
      number,
      versionId: id,
      ...checked,
      pageUrl,
      ...(previewUrl !== undefined && { previewUrl }),
      ...(liveAt !== undefined && { liveAt }),
      next: nextFor({ ...checked, versionId: id, pageUrl, isUnclaimed: claim !== undefined }),
    };
  },
});

async function newestOf(slug: string | undefined, host: ToolHost): Promise<string> {
  if (slug === undefined)
    throw new ToolRefusal({
      code: 'invalid',
      message: 'Either version or space is needed.',
      issues: [{ path: 'version', message: 'is missing, and so is space' }],
      next: 'Call status with the versionId of the publish, or with the slug of your space.',
    });
  const { versions } = await host.call(listVersions, { params: { slug } });
  const [newest] = versions;
  if (newest) return newest.id;
  throw new ToolRefusal({
    code: 'not_found',
    message: `The space «${slug}» has no version.`,
    next: `Call publish with space: ${JSON.stringify(slug)}.`,
  });
}

export const versionsTool = defineTool({
  name: 'versions',
  title: 'Versions of a space',
  description: 'The last 100 versions of a space, newest first, and which of them can be rolled back to.',
  input: z.strictObject({ space: spaceInput }),
  output: z.object({ versions: z.array(versionListEntry), next: nextStep }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { space: 'my-game' },
  scopeOf: () => 'publish',
  async run({ space: slug }, host) {
    const { versions } = await host.call(listVersions, { params: { slug } });
    const back = versions.filter((version) => version.rollback).map(({ number }) => number);
    const next =
      back.length === 0
        ? 'No earlier version was live: publish to make one.'
        : `rollback takes one of these numbers: ${back.slice(0, 10).join(', ')}.`;
    return { versions, next };
  },
});

export const rollbackTool = defineTool({
  name: 'rollback',
  title: 'Put an earlier version live again',
  description: 'Makes a version live again that was live before, at once, instead of the current one.',
  input: z.strictObject({
    space: spaceInput,
    number: z.number().int().min(1).meta({ description: 'Number of the version; `versions` lists them.' }),
  }),
  output: z.object({
    number: z.number().int(),
    status: z.literal('live'),
    pageUrl: z.string(),
    next: nextStep,
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  example: { space: 'my-game', number: 3 },
  scopeOf: () => 'publish',
  async run({ space: slug, number }, host) {
    const { status, pageUrl } = await host.call(rollback, { params: { slug }, body: { version: number } });
    const next = `Version ${number} is live at ${pageUrl}. versions tells what to roll back to if that was wrong.`;
    return { number, status, pageUrl, next };
  },
});
