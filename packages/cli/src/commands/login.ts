import { text } from 'node:stream/consumers';
import type { Client } from '@spaceport/client/client';
import { scopeList, scopes } from '@spaceport/contract/scopes';
import { CliError } from '../cli-error.ts';
import { chooseServer, isExposed, readConfig, writeConfig } from '../config.ts';
import { type Context, connect } from '../context.ts';
import { deviceLogin, type TokenWish } from '../device-login.ts';
import { exitCodes } from '../exit-codes.ts';
import { describeReach } from '../token-reach.ts';

/**
 * Signs in by a link that the creator approves in a browser, or with a token: it is checked at the service and stored.
 * `-` reads it from stdin, which keeps it out of shell histories.
 */
export async function login(
  context: Context,
  options: { token?: string; scopes?: string; space?: string },
): Promise<void> {
  const { env, output, signal } = context;
  const wish = wishOf(options);
  const config = readConfig(env);
  const server = chooseServer(context.serverFlag, env, config);
  if (isExposed(server)) output.warn(`${server} is not https: your token can be read on the way.`);
  const token = await tokenFor(connect(server), context, options.token, wish);
  if (token === '') throw new CliError(exitCodes.usage, 'usage', 'The token is empty.');
  const { creator, token: about } = await connect(server, token).readMe({}, { signal });
  const servers = { ...config.servers, [server]: { token, handle: creator.handle } };
  writeConfig(env, { default: server, servers });
  const name = creator.handle === null ? creator.name : `@${creator.handle}`;
  output.result(
    {
      server,
      creator,
      expires_at: about.expires_at,
      scopes: about.scopes,
      space: about.space,
    },
    `Signed in to ${server} as ${name}, until ${about.expires_at.slice(0, 10)}. ${describeReach(about)}`,
  );
}

async function tokenFor(
  client: Client,
  { output, signal }: Context,
  given: string | undefined,
  wish: TokenWish,
): Promise<string> {
  if (given === undefined) return deviceLogin(client, wish, output, signal);
  return (given === '-' ? await text(output.streams.in) : given).trim();
}

/** @throws CliError for scopes that are none, and for a token that says itself what it is for */
function wishOf({
  token,
  scopes: named,
  space,
}: {
  token?: string;
  scopes?: string;
  space?: string;
}): TokenWish {
  const usage = (message: string) => new CliError(exitCodes.usage, 'usage', message);
  if (token !== undefined && (named !== undefined || space !== undefined)) {
    throw usage('A token says itself what it is for: leave out --scopes and --space.');
  }
  const parsed = scopeList.optional().safeParse(named?.split(',').map((name) => name.trim()));
  if (!parsed.success)
    throw usage(`--scopes takes ${scopes.join(', ')}, each once, with a comma between two.`);
  return { ...(parsed.data && { scopes: parsed.data }), ...(space !== undefined && { space }) };
}
