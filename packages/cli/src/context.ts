import type { ClientOptions } from '@spaceport/client/caller';
import { type Client, createClient } from '@spaceport/client/client';
import { httpFetch } from '@spaceport/client/node/http-fetch';
import { mayAnswer } from '@spaceport/contract/may-answer';
import { CliError } from './cli-error.ts';
import { chooseServer, chooseToken, type Environment, isExposed, readConfig } from './config.ts';
import { exitCodes } from './exit-codes.ts';
import { commandLineAt } from './origin.ts';
import type { Output } from './output.ts';
import { version } from './version.ts';
import { tellWaits } from './waits.ts';

/** The environment of every command. */
export interface Context {
  readonly env: Environment;
  readonly cwd: string;
  readonly output: Output;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The `--server` flag. */
  readonly serverFlag: string | undefined;
}

export function serverOf(context: Context): string {
  return chooseServer(context.serverFlag, context.env, readConfig(context.env));
}

/** How long a client tries. */
export type Patience = Pick<ClientOptions, 'retry' | 'timeoutMs'>;

/**
 * Returns a client, which tells on stderr of long waits.
 * @param token absent for calls without an account
 * @param patience by default that of a person who waits
 */
export function connect(
  { output }: Pick<Context, 'output'>,
  server: string,
  token?: string,
  patience: Patience = {},
): Client {
  const attempts = patience.retry === false ? 1 : patience.retry?.attempts;
  const watch = tellWaits(output, server, attempts);
  const userAgent = `spaceport-cli/${version}`;
  return createClient({
    ...patience,
    mayAnswer,
    watch,
    baseUrl: server,
    token,
    userAgent,
    fetch: httpFetch,
  });
}

export function isSignedIn(context: Context): boolean {
  const config = readConfig(context.env);
  const server = chooseServer(context.serverFlag, context.env, config);
  return chooseToken(server, context.env, config) !== undefined;
}

/**
 * Returns a client with the user's token.
 * @param alternative what a user who is not signed in can do instead; part of the error
 * @throws CliError if nobody is signed in to the service
 */
export function signedIn(context: Context, alternative?: string): Client {
  const config = readConfig(context.env);
  const server = chooseServer(context.serverFlag, context.env, config);
  const token = chooseToken(server, context.env, config);
  if (token === undefined) {
    throw new CliError(exitCodes.notAllowed, 'not_signed_in', `You are not signed in to ${server}.`, {
      next: [
        `Sign in: ${commandLineAt(server, 'login')} (or set SPACEPORT_TOKEN)`,
        ...(alternative === undefined ? [] : [`Or ${alternative}`]),
      ].join('\n'),
    });
  }
  if (isExposed(server)) context.output.warn(`${server} is not https: your token can be read on the way.`);
  return connect(context, server, token);
}
