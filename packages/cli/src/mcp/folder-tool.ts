import { publishedOf, publishInput, publishTool } from '@spaceport/contract/mcp/publish';
import { defineTool, type Tool, ToolRefusal } from '@spaceport/contract/mcp/tool';
import { z } from 'zod';
import { claimUrl } from '../claim-file.ts';
import { publishFolder } from '../commands/publish.ts';
import { chooseToken, readConfig } from '../config.ts';
import { type Context, serverOf } from '../context.ts';
import type { PublishEnd } from '../publish-result.ts';
import { refusing } from './tool-host.ts';

const input = publishInput.extend({
  files: publishInput.shape.files
    .optional()
    .meta({ description: 'The whole folder, where `folder` is not given.' }),
  folder: z.string().min(1).max(4_000).optional().meta({
    description:
      'A folder on this machine with the built files, absolute or from where this was started. Read as the command line reads it, with its service.json; only what changed is sent.',
  }),
});

/** Returns the tool `publish` with an additional input for a folder. */
export function folderTool(tool: Tool, context: Context): Tool {
  const { output } = publishTool;
  return defineTool({
    ...tool,
    description: `${tool.description} Give the folder: what is in it need not be read.`,
    input,
    output,
    example: { folder: './dist', title: 'My game', type: 'game', devices: ['desktop'] },
    async run({ folder, files, ...given }, host) {
      if ((folder === undefined) === (files === undefined))
        throw new ToolRefusal({
          code: 'invalid',
          message: 'Either folder or files is needed.',
          issues: [{ path: 'folder', message: 'must be given, or files in its place' }],
          next: 'Call publish with folder: "./dist", say: the folder with the built files.',
        });
      if (folder === undefined) return publishTool.run({ ...given, files }, host);
      return refusing(host.app, async () => toldOf(await publishIn(context, folder, given)));
    },
  });
}

function publishIn(
  context: Context,
  folder: string,
  { title, type, devices, tags, space, live, claim, wait }: Omit<z.output<typeof input>, 'folder' | 'files'>,
): Promise<PublishEnd> {
  const token = chooseToken(serverOf(context), context.env, readConfig(context.env));
  return publishFolder(context, folder, {
    ...(token === undefined && live !== true && space === undefined && { anonymous: true }),
    ...(live !== undefined && { live }),
    ...(title !== undefined && { title }),
    ...(type !== undefined && { type }),
    ...(devices !== undefined && { devices: devices.join(',') }),
    ...(tags !== undefined && { tags: tags.join(',') }),
    ...(space !== undefined && { space }),
    ...(claim !== undefined && { claim }),
    wait: wait !== 0,
  });
}

function toldOf({ result, source, claim }: PublishEnd) {
  const { outcome, space, version, pageUrl, previewUrl, reason, report } = result;
  return publishedOf({
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
  });
}
