import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { callTool, describeTools } from '@spaceport/contract/mcp/call-tool';
import type { ToolHost } from '@spaceport/contract/mcp/tool';
import { tools, toolsGuide } from '@spaceport/contract/mcp/tools';
import type { Scope } from '@spaceport/contract/scopes';
import type { Logger } from 'pino';
import { fieldOf, methodOf } from './rpc.ts';

/** Of the interface, as its OpenAPI description has it. */
const version = '1';

/** The protocol, loaded when it is first asked for: its library is large. */
export interface Protocol {
  /** Answers a request whose body was read, for the host that its tools are to work with. */
  serve(request: Request, body: unknown, host: ToolHost): Promise<Response>;
  /** What a token would have to be for, of a call of a tool that takes one; null where none is needed. */
  scopeWanted(body: unknown, rule: { anonymousMayChange: boolean }): Scope | null;
}

/**
 * The protocol over HTTP without sessions, in its newest version and in those that begin with `initialize`. Each
 * request has a server of its own.
 */
export function serveProtocol(log: Logger): Protocol {
  const described = describeTools(tools);
  return {
    serve(request, body, host) {
      const handler = createMcpHandler(
        () => {
          const server = new Server(
            { name: 'spaceport', title: 'Spaceport', version, websiteUrl: host.app },
            { capabilities: { tools: {} }, instructions: toolsGuide },
          );
          server.setRequestHandler('tools/list', () => ({ tools: described }));
          server.setRequestHandler('tools/call', ({ params }) => callTool(tools, params, host));
          return server;
        },
        { onerror: (error) => log.debug({ err: error }, 'not served over /mcp') },
      );
      return handler.fetch(request, { parsedBody: body });
    },
    scopeWanted(body, { anonymousMayChange }) {
      if (methodOf(body) !== 'tools/call') return null;
      const params = fieldOf(body, 'params');
      const name = fieldOf(params, 'name');
      const sent = fieldOf(params, 'arguments');
      const tool = tools.find((each) => each.name === name);
      if (!tool) return null;
      const scope = tool.scopeOf(typeof sent === 'object' && sent !== null ? { ...sent } : {});
      return scope ?? (anonymousMayChange || tool.annotations.readOnlyHint ? null : 'publish');
    },
  };
}
