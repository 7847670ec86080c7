import { createHash } from 'node:crypto';
import { publishedOf, publishInput, publishOutput, wishOf } from '@spaceport/contract/mcp/publish';
import { defineTool, type Tool, ToolRefusal } from '@spaceport/contract/mcp/tool';
import { usualPublishWaitSeconds } from '@spaceport/contract/one-call';
import { z } from 'zod';
import { claimUrl } from '../claim-file.ts';
import { type FolderEnd, publishFolder } from '../commands/publish.ts';
import { chooseToken, readConfig } from '../config.ts';
import type { Context } from '../context.ts';
import type { PublishEnd } from '../publish-result.ts';
import type { Publishes, Working } from './publishes.ts';
import { refusing, toolHost } from './tool-host.ts';
import { type Told, withVerdict } from './verdict.ts';

const input = publishInput.extend({
  files: publishInput.shape.files
    .optional()
    .meta({ description: 'The whole folder, where `folder` is not given.' }),
  folder: z.string().min(1).max(4_000).optional().meta({
    description:
      'A folder on this machine with the built files, absolute or from where this was started. Read as the command line reads it, with its service.json; only what changed is sent.',
  }),
});

/**
 * Clients give up a call after a minute, many also one that tells its progress, and none says which it is: a token for
 * progress comes from those that count from each notification, and from those that only show it.
 */
const usualAnswerMs = 45_000;

/** The result of a publish that goes on knows less than that of one that has ended. */
const output = publishOutput.partial({ space: true, number: true, versionId: true, pageUrl: true });

/** How a publish of files or of a folder ended. */
interface Published {
  readonly told: Told;
  /** What reads the version, if it belongs to no account. */
  readonly claim: string | undefined;
  /** Call it once the agent knows the end. */
  forget(): void;
}

export interface Publishing {
  /** The publishes of this process, which go on after a call. */
  readonly publishes: Publishes<Published>;
  /** Returns the surroundings of a publish, whose notes go to `say`. */
  contextFor(signal: AbortSignal, say: (line: string) => void): Context;
  /** The signal of this call. */
  readonly signal: AbortSignal;
  /** Tells the agent what is done. */
  say(line: string): void;
  /** After this long each call is answered. */
  readonly answerMs?: number | undefined;
}

/** Returns the tool `publish` with an additional input for a folder, whose calls are answered in time. */
export function folderTool(tool: Tool, publishing: Publishing): Tool {
  const { answerMs = usualAnswerMs, say, signal, publishes } = publishing;
  return defineTool({
    ...tool,
    description: `${tool.description} Give the folder: what is in it need not be read.`,
    input,
    output,
    example: { folder: './dist', title: 'My game', type: 'game', devices: ['desktop'] },
    async run({ wait = usualPublishWaitSeconds, ...given }, host) {
      if ((given.folder === undefined) === (given.files === undefined))
        throw new ToolRefusal({
          code: 'invalid',
          message: 'Either folder or files is needed.',
          issues: [{ path: 'folder', message: 'must be given, or files in its place' }],
          next: 'Call publish with folder: "./dist", say: the folder with the built files.',
        });
      const endsAtMs = performance.now() + answerMs;
      const call = { signal, say, patienceMs: answerMs };
      const ended = await publishes.endOf(
        nameOf(given),
        (working) => publish(publishing, given, working),
        call,
      );
      if ('doing' in ended) return goingOn(ended.doing);
      const { told, claim, forget } = ended.end;
      if (ended.isLast) forget();
      const untilMs = Math.min(endsAtMs, performance.now() + wait * 1_000);
      return publishedOf(await withVerdict(told, { host, claim, say, untilMs }));
    },
  });
}

type Given = Omit<z.output<typeof input>, 'wait'>;

/** Returns a name that is the same for calls that want the same published. Files may be megabytes. */
function nameOf(given: Given): string {
  return createHash('sha256').update(JSON.stringify(given)).digest('hex');
}

async function publish(
  { contextFor }: Publishing,
  { folder, files, ...given }: Given,
  { signal, say, earlier }: Working<Published>,
): Promise<Published> {
  const context = contextFor(signal, say);
  const host = toolHost(context);
  const token = chooseToken(host.app, context.env, readConfig(context.env));
  if (folder === undefined) {
    // The same files were published already.
    if (earlier !== undefined) return earlier;
    const told = await host.publish(wishOf({ ...given, files: files ?? [], wait: 0 }));
    const claim = token === undefined ? (told.claimToken ?? given.claim) : undefined;
    return { told, claim, forget: () => {} };
  }
  const { end, forget } = await refusing(host.app, () => publishIn(context, { folder, token, ...given }));
  return { told: toldOf(end), claim: end.claim?.claimToken, forget };
}

function publishIn(
  context: Context,
  {
    folder,
    token,
    title,
    type,
    devices,
    tags,
    space,
    live,
    claim,
  }: Omit<Given, 'folder' | 'files'> & {
    readonly folder: string;
    readonly token: string | undefined;
  },
): Promise<FolderEnd> {
  return publishFolder(context, folder, {
    ...(token === undefined && live !== true && space === undefined && { anonymous: true }),
    ...(live !== undefined && { live }),
    ...(title !== undefined && { title }),
    ...(type !== undefined && { type }),
    ...(devices !== undefined && { devices: devices.join(',') }),
    ...(tags !== undefined && { tags: tags.join(',') }),
    ...(space !== undefined && { space }),
    ...(claim !== undefined && { claim }),
    wait: false,
  });
}

function toldOf({ result, source, claim }: PublishEnd): Told {
  const { outcome, space, version, pageUrl, previewUrl, reason, report } = result;
  return {
    space,
    version,
    ...(outcome === 'stopped' ? { status: 'checking', stopped: true } : { status: outcome }),
    pageUrl,
    ...(reason !== undefined && { reason }),
    ...(previewUrl !== undefined && { previewUrl }),
    ...(report !== undefined && { report }),
    ...(claim !== undefined && {
      claimUrl: claimUrl(claim),
      claimToken: claim.claimToken,
      expiresAt: claim.expiresAt,
    }),
    ...(source?.skipped.length && { leftOut: source.skipped.map(({ path }) => path).slice(0, 50) }),
  };
}

/** Returns the result for a publish that is not over. */
function goingOn(doing: string): z.output<typeof output> {
  const now = doing === '' ? '' : ` (${doing.replace(/…$/u, '')})`;
  const next = `The publish goes on here${now}: call publish again with the same input. That waits for it, and publishes nothing twice.`;
  return { status: 'uploading', findings: [], checked: false, next };
}
