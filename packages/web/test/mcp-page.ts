import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';

/**
 * One use of a tool by the official client in a web page, as the inspector does it when it connects directly.
 * mcp-in-page.test.ts builds this file.
 */
export interface Wish {
  readonly server: string;
  readonly mode: NonNullable<VersionNegotiationOptions['mode']>;
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  /** True when the person has come back from the consent page. */
  readonly isBack?: boolean;
}

export interface Used {
  readonly tools: number;
  readonly result: Record<string, unknown>;
}

declare global {
  interface Window {
    useTool(wish: Wish): Promise<Used>;
    /** Revokes the client's token. Returns the status. */
    giveBack(server: string): Promise<number>;
  }
}

const kept = (name: string) => JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? undefined;
const keep = (name: string) => (value: unknown) => sessionStorage.setItem(name, JSON.stringify(value));
const address = `${location.origin}/`;

const authProvider: OAuthClientProvider = {
  redirectUrl: address,
  clientMetadata: { client_name: 'An inspector', redirect_uris: [address] },
  state: () => 'a state',
  clientInformation: () => kept('client'),
  saveClientInformation: keep('client'),
  tokens: () => kept('tokens'),
  saveTokens: keep('tokens'),
  redirectToAuthorization: (url) => location.assign(url),
  saveCodeVerifier: keep('verifier'),
  codeVerifier: () => kept('verifier'),
  discoveryState: () => kept('discovery'),
  saveDiscoveryState: keep('discovery'),
};

window.useTool = async ({ server, mode, tool, args, isBack = false }) => {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', server), { authProvider });
  if (isBack) await transport.finishAuth(new URLSearchParams(location.search));
  const client = new Client({ name: 'inspector', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const result = await client.callTool({ name: tool, ...(args && { arguments: args }) });
  await client.close();
  return { tools: tools.length, result: Object(result.structuredContent) };
};

window.giveBack = async (server) => {
  const metadata = await (await fetch(`${server}/.well-known/oauth-authorization-server`)).json();
  const body = new URLSearchParams({ token: kept('tokens').access_token });
  return (await fetch(metadata.revocation_endpoint, { method: 'POST', body })).status;
};
