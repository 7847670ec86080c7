import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { callTool, describeTools } from '@spaceport/contract/mcp/call-tool';
import { withProgress } from '@spaceport/contract/mcp/progress';
import type { ToolHost } from '@spaceport/contract/mcp/tool';
import { tools, toolsGuide, toolsGuideForAccounts } from '@spaceport/contract/mcp/tools';
import type { Scope } from '@spaceport/contract/scopes';
import type { Logger } from 'pino';
import { fieldOf, methodOf } from './rpc.ts';

/** The version of the API, as in its OpenAPI description. */
const version = '1';

/** The protocol. It is loaded at the first request, because its library is large. */
export interface Protocol {
  /** Answers a request whose body was read. Its tools use this host. */
  serve(request: Request, body: unknown, host: ToolHost): Promise<Response>;
  /** Returns the scope that a call of a tool needs; null if it needs no token. */
  scopeWanted(body: unknown, rule: { anonymousMayChange: boolean }): Scope | null;
}

/**
 * Serves the protocol over HTTP without sessions, in its newest version and in those that begin with
 * `initialize`. Each request has a server of its own.
 * @param needsAccount whether nobody publishes without an account
 */
export function serveProtocol(log: Logger, needsAccount: boolean): Protocol {
  const instructions = needsAccount ? toolsGuideForAccounts : toolsGuide;
  const described = describeTools(tools);
  return {
    serve(request, body, host) {
      const handler = createMcpHandler(
        () => {
          const server = new Server(
            { name: 'spaceport', title: 'Spaceport', version, websiteUrl: host.app },
            { capabilities: { tools: {} }, instructions },
          );
          server.setRequestHandler('tools/list', () => ({ tools: described }));
          server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
            withProgress(mcpReq, () => callTool(tools, params, host)),
          );
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
