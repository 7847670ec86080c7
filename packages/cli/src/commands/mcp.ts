import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { callTool, describeTools, refusedResult, type ToolResult } from '@spaceport/contract/mcp/call-tool';
import { withProgress } from '@spaceport/contract/mcp/progress';
import { tools, toolsGuide } from '@spaceport/contract/mcp/tools';
import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { failureOf } from '../failure.ts';
import { folderTool, type Publishing } from '../mcp/folder-tool.ts';
import { notesTo } from '../mcp/notes.ts';
import { Publishes } from '../mcp/publishes.ts';
import { toolHost } from '../mcp/tool-host.ts';
import { Output, type Streams } from '../output.ts';
import { version } from '../version.ts';

/** The largest call. The library's limit, 10 MiB, is less than a game with its sounds has. */
const maxCallBytes = 32 * 1024 * 1024;

/**
 * Serves the tools of a service to the program that started this one, over stdin and stdout, until that program
 * closes one of them. Each call looks up the stored token, so that signing in meanwhile takes effect.
 * @throws CliError after a call that is too large: the rest of it cannot be told from the next one
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
  let end: (failure?: CliError) => void = () => {};
  const ended = new Promise<CliError | undefined>((resolve) => {
    end = resolve;
    input.once('end', () => resolve(undefined)).once('close', () => resolve(undefined));
    // A program that reads no answers any more has left, too.
    out.once('error', () => resolve(undefined));
    context.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
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
          answered(signal, () =>
            callTool(localTools({ signal, say }), params, toolHost({ ...context, signal })),
          ),
        );
      });
      return server;
    },
    {
      transport: new StdioServerTransport(undefined, undefined, { maxBufferSize: maxCallBytes }),
      onerror(error) {
        output.note(error.message);
        if (/exceeded maximum size/u.test(error.message)) end(tooLarge());
      },
    },
  );
  const failure = await ended;
  publishes.close();
  await handle.close();
  if (failure !== undefined) throw failure;
}

/** Runs a call. What is wrong on this machine, as with its settings, is a refusal too, which says what to do. */
async function answered(signal: AbortSignal, call: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await call();
  } catch (error) {
    signal.throwIfAborted();
    const { code, message, next } = failureOf(error);
    return refusedResult({ code, message, ...(next !== undefined && { next }) });
  }
}

function tooLarge(): CliError {
  const message = `A call was larger than ${maxCallBytes / 1024 / 1024} MiB, and the calls after it are lost.`;
  return new CliError(exitCodes.invalid, 'too_large', message, {
    next: 'Start it again, and give publish the folder in place of its files.',
  });
}
