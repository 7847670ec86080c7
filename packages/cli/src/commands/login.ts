import { text } from 'node:stream/consumers';
import type { Client } from '@spaceport/client/client';
import { CliError } from '../cli-error.ts';
import { chooseServer, isExposed, readConfig, writeConfig } from '../config.ts';
import { type Context, connect } from '../context.ts';
import { deviceLogin } from '../device-login.ts';
import { exitCodes } from '../exit-codes.ts';

/**
 * Signs in by a link that the creator approves in a browser, or with a token: it is checked at the service and stored.
 * `-` reads it from stdin, which keeps it out of shell histories.
 */
export async function login(context: Context, options: { token?: string }): Promise<void> {
  const { env, output, signal } = context;
  const config = readConfig(env);
  const server = chooseServer(context.serverFlag, env, config);
  if (isExposed(server)) output.warn(`${server} is not https: your token can be read on the way.`);
  const token = await tokenFor(connect(server), context, options.token);
  if (token === '') throw new CliError(exitCodes.usage, 'usage', 'The token is empty.');
  const { creator, token: about } = await connect(server, token).readMe({}, { signal });
  const servers = { ...config.servers, [server]: { token, handle: creator.handle } };
  writeConfig(env, { default: server, servers });
  const name = creator.handle === null ? creator.name : `@${creator.handle}`;
  output.result(
    { server, creator, expires_at: about.expires_at },
    `Signed in to ${server} as ${name}, until ${about.expires_at.slice(0, 10)}.`,
  );
}

async function tokenFor(
  client: Client,
  { output, signal }: Context,
  given: string | undefined,
): Promise<string> {
  if (given === undefined) return deviceLogin(client, output, signal);
  return (given === '-' ? await text(output.streams.in) : given).trim();
}
