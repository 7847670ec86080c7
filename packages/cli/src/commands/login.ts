import { text } from 'node:stream/consumers';
import { CliError } from '../cli-error.ts';
import { chooseServer, isExposed, readConfig, writeConfig } from '../config.ts';
import { type Context, connect } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';

/** Checks a token at the service and stores it. `-` reads it from stdin, which keeps it out of shell histories. */
export async function login(context: Context, options: { token: string }): Promise<void> {
  const { env, output, signal } = context;
  const config = readConfig(env);
  const server = chooseServer(context.serverFlag, env, config);
  const token = (options.token === '-' ? await text(output.streams.in) : options.token).trim();
  if (token === '') throw new CliError(exitCodes.usage, 'usage', 'The token is empty.');
  if (isExposed(server)) output.warn(`${server} is not https: your token can be read on the way.`);
  const { creator, token: about } = await connect(server, token).readMe({}, { signal });
  const servers = { ...config.servers, [server]: { token, handle: creator.handle } };
  writeConfig(env, { default: server, servers });
  const name = creator.handle === null ? creator.name : `@${creator.handle}`;
  output.result(
    { server, creator, expires_at: about.expires_at },
    `Signed in to ${server} as ${name}, until ${about.expires_at.slice(0, 10)}.`,
  );
}
