import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Persona } from './service.ts';

/** The protocol of a client: `modern` begins with `server/discover`, `legacy` with `initialize`. */
export type Era = 'modern' | 'legacy';

export interface McpClient extends AsyncDisposable {
  readonly client: Client;
  /**
   * Returns a tool's result; fails if it refused. The client validates the result by the tool's output
   * schema.
   */
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it looks at
  call(name: string, args?: Record<string, unknown>): Promise<any>;
  /** Returns a tool's refusal; fails if it did not refuse. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it looks at
  refused(name: string, args?: Record<string, unknown>): Promise<any>;
}

/** Connects the official client to /mcp, with or without a token. */
export async function connectMcp(
  baseUrl: string,
  { persona, era = 'modern' }: { persona?: Pick<Persona, 'token'>; era?: Era } = {},
): Promise<McpClient> {
  const headers: Record<string, string> =
    persona === undefined ? {} : { authorization: `Bearer ${persona.token}` };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit: { headers } });
  return useMcp(clientOf(era), (client) => client.connect(transport));
}

export function clientOf(era: Era): Client {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
}

export async function useMcp(client: Client, connect: (client: Client) => Promise<void>): Promise<McpClient> {
  await connect(client);
  // The client validates results only for tools that it has listed.
  await client.listTools();
  const call = async (name: string, args: Record<string, unknown>, isRefused: boolean) => {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError ?? false, isRefused, JSON.stringify(result.content));
    return result.structuredContent;
  };
  return {
    client,
    call: (name, args = {}) => call(name, args, false),
    refused: async (name, args = {}) => {
      const answer = await call(name, args, true);
      return Object(answer).error;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
