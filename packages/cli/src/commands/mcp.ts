import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { callTool, describeTools } from '@spaceport/contract/mcp/call-tool';
import { withProgress } from '@spaceport/contract/mcp/progress';
import { tools, toolsGuide } from '@spaceport/contract/mcp/tools';
import type { Context } from '../context.ts';
import { folderTool, type Publishing } from '../mcp/folder-tool.ts';
import { notesTo } from '../mcp/notes.ts';
import { Publishes } from '../mcp/publishes.ts';
import { toolHost } from '../mcp/tool-host.ts';
import { Output, type Streams } from '../output.ts';
import { version } from '../version.ts';

/**
 * Serves the tools of a service to the program that started this one, over stdin and stdout, until that program
 * closes one of them. Each call looks up the stored token, so that signing in meanwhile takes effect.
 */
export async function mcp(started: Context): Promise<void> {
  const { out, err, in: input } = started.output.streams;
  // Stdout is for the protocol only.
  const outputTo = (notes: Streams['err']) => new Output({ out: notes, err: notes, in: input }, true);
  const output = outputTo(err);
  const context = { ...started, output };
  const publishes: Publishing['publishes'] = new Publishes();
  const contextFor: Publishing['contextFor'] = (signal, say) => ({
    ...context,
    signal: AbortSignal.any([context.signal, signal]),
    output: outputTo(notesTo(err, say)),
  });
  const localTools = (calling: Pick<Publishing, 'signal' | 'say'>) =>
    tools.map((tool) =>
      tool.name === 'publish' ? folderTool(tool, { publishes, contextFor, ...calling }) : tool,
    );
  const described = describeTools(localTools({ signal: context.signal, say: () => {} }));
  const handle = serveStdio(
    () => {
      const server = new Server(
        { name: 'spaceport', title: 'Spaceport', version },
        { capabilities: { tools: {} }, instructions: toolsGuide },
      );
      server.setRequestHandler('tools/list', () => ({ tools: described }));
      server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
        const signal = AbortSignal.any([context.signal, mcpReq.signal]);
        return withProgress(mcpReq, (say) =>
          callTool(localTools({ signal, say }), params, toolHost({ ...context, signal })),
        );
      });
      return server;
    },
    { onerror: (error) => output.note(error.message) },
  );
  await new Promise<void>((resolve) => {
    input.once('end', resolve).once('close', resolve);
    // A program that reads no answers any more has left, too.
    out.once('error', () => resolve());
    context.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  publishes.close();
  await handle.close();
}
