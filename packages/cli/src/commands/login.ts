import type { Client } from '@spaceport/client/client';
import { scopeList, scopes } from '@spaceport/contract/scopes';
import { CliError, withNext } from '../cli-error.ts';
import {
  chooseServer,
  isExposed,
  isSendable,
  readConfig,
  requireWritable,
  warnOfOwnToken,
  writeConfig,
} from '../config.ts';
import { type Context, connect } from '../context.ts';
import { aboutLink, approvalOf, deviceLogin, startDeviceLogin, type TokenWish } from '../device-login.ts';
import { exitCodes } from '../exit-codes.ts';
import { commandLine, commandLineAt } from '../origin.ts';
import { readInput } from '../read-input.ts';
import { forgetLogin, keepLogin, readLogin } from '../started-login.ts';
import { describeReach } from '../token-reach.ts';

export interface LoginFlags {
  token?: string;
  scopes?: string;
  space?: string;
  start?: boolean;
  finish?: boolean;
}

/**
 * Signs in by a link that the creator approves in a browser, or with a token, which is checked at the service
 * and stored. `-` reads the token from stdin, which keeps it out of shell histories. `start` ends after
 * showing the link; `finish` waits for its approval.
 */
export async function login(context: Context, options: LoginFlags): Promise<void> {
  const { env, output, signal } = context;
  const wish = wishOf(options);
  const server = chooseServer(context.serverFlag, env, readConfig(env));
  if (isExposed(server)) output.warn(`${server} is not https: your token can be read on the way.`);
  if (options.token === undefined) requireWritable(env);
  if (options.start) return start(context, server, wish);
  const token = options.finish
    ? await finish(context, server)
    : await tokenFor(connect(context, server), context, options.token, wish);
  const { creator, token: about } = await withNext(connect(context, server, token).readMe({}, { signal }), {
    unauthorized: afterWrongToken(),
  });
  // Read again: somebody may have signed in to another service while this command waited.
  const { servers: known } = readConfig(env);
  const servers = { ...known, [server]: { token, handle: creator.handle } };
  writeConfig(env, { default: server, servers });
  if (options.finish) forgetLogin(env, server);
  warnOfOwnToken(env, output);
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

async function start(context: Context, server: string, wish: TokenWish): Promise<void> {
  const { env, output, signal } = context;
  const asked = await startDeviceLogin(connect(context, server), wish, signal);
  const expiresAt = new Date(Date.now() + asked.expires_in * 1000).toISOString();
  keepLogin(env, { server, device_code: asked.device_code, interval: asked.interval });
  const next = commandLineAt(server, 'login --finish');
  output.result(
    {
      server,
      url: asked.verification_uri_complete,
      code: asked.user_code,
      expires_at: expiresAt,
      next,
    },
    [
      `Open this link and approve the sign-in: ${asked.verification_uri_complete}`,
      aboutLink(asked),
      `Then, or meanwhile: ${next}`,
    ].join('\n'),
  );
}

async function finish(context: Context, server: string): Promise<string> {
  const { env, output, signal } = context;
  const started = readLogin(env, server);
  if (started === null) {
    throw new CliError(exitCodes.invalid, 'no_login', `No sign-in to ${server} was started here.`, {
      next: `Start one: ${commandLine('login --start')}`,
    });
  }
  try {
    return await approvalOf(connect(context, server), started, signal, output);
  } catch (error) {
    // An interrupted wait can be resumed; a sign-in that has ended cannot.
    if (signal.aborted || !(error instanceof CliError)) throw error;
    forgetLogin(env, server);
    throw error;
  }
}

async function tokenFor(
  client: Client,
  context: Context,
  given: string | undefined,
  wish: TokenWish,
): Promise<string> {
  if (given === undefined) return deviceLogin(client, wish, context.output, context.signal);
  // What is in another encoding is no token, and is refused as such.
  const token = (given === '-' ? new TextDecoder().decode(await readInput(context)) : given).trim();
  if (token === '') throw new CliError(exitCodes.usage, 'usage', 'The token is empty.');
  if (isSendable(token)) return token;
  throw new CliError(exitCodes.notAllowed, 'unauthorized', 'That is not a token.', {
    next: afterWrongToken(),
  });
}

function afterWrongToken(): string {
  return `Copy the whole token, or sign in by a link: ${commandLine('login')}`;
}

/** @throws CliError for unknown scopes, and for scopes beside a token, which has its own */
function wishOf({ token, scopes: named, space, start: starts, finish: finishes }: LoginFlags): TokenWish {
  const usage = (message: string) => new CliError(exitCodes.usage, 'usage', message);
  if (token !== undefined && (named !== undefined || space !== undefined)) {
    throw usage('A token has its own scopes: leave out --scopes and --space.');
  }
  if ([token !== undefined, starts, finishes].filter(Boolean).length > 1) {
    throw usage('Use only one of --token, --start and --finish.');
  }
  if (finishes && (named !== undefined || space !== undefined)) {
    throw usage('The scopes were given with --start: leave out --scopes and --space.');
  }
  const parsed = scopeList.optional().safeParse(named?.split(',').map((name) => name.trim()));
  if (!parsed.success)
    throw usage(`--scopes takes ${scopes.join(', ')}, each once, with a comma between two.`);
  return { ...(parsed.data && { scopes: parsed.data }), ...(space !== undefined && { space }) };
}
