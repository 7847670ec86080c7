import { hostname } from 'node:os';
import { ApiError } from '@spaceport/client/api-error';
import type { Client } from '@spaceport/client/client';
import { isPassing, sleep } from '@spaceport/client/retry';
import type { Scope } from '@spaceport/contract/scopes';
import open from 'open';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { commandLine } from './origin.ts';
import type { Output } from './output.ts';
import { sentenceOf } from './waits.ts';

/** The wanted rights of the token. Absent fields get the service's defaults. */
export interface TokenWish {
  readonly scopes?: Scope[];
  /** The slug of the only space that the token is for. */
  readonly space?: string;
}

/** Seconds that `slow_down` adds to the interval (RFC 8628 §3.5). */
const slowDownSeconds = 5;

/** Asks for a link that a creator can approve. */
export function startDeviceLogin(client: Client, wish: TokenWish, signal: AbortSignal) {
  const name = `spaceport on ${hostname()}`.slice(0, 80);
  return client.startLogin({ body: { client_name: name, ...wish } }, { signal });
}

type StartedLogin = Awaited<ReturnType<typeof startDeviceLogin>>;

/** Says what the person who opens the link has to know. */
export function aboutLink({ user_code, expires_in }: Pick<StartedLogin, 'user_code' | 'expires_in'>): string {
  return `It shows the code ${user_code}. The link works for ${Math.round(expires_in / 60)} minutes.`;
}

/**
 * Signs in by a link: shows the link, opens it in a browser if a person is at a terminal, and waits until the
 * creator has approved it there. Returns the API token.
 * @throws CliError if it was refused or took too long
 */
export async function deviceLogin(
  client: Client,
  wish: TokenWish,
  output: Output,
  signal: AbortSignal,
): Promise<string> {
  const asked = await startDeviceLogin(client, wish, signal);
  output.note(`Open this link and approve the sign-in:\n\n  ${asked.verification_uri_complete}\n`);
  output.note(aboutLink(asked));
  // Errors are ignored: on a machine without a browser, the printed link is enough.
  if (output.atTerminal) await open(asked.verification_uri_complete).catch(() => {});
  await sleep(asked.interval * 1000, signal);
  return approvalOf(client, asked, signal, output);
}

/**
 * Polls until the link is approved. The person may approve it while the line is away or the service restarts, so
 * that is waited for, as in a publish.
 * @throws CliError if it was refused or took too long
 */
export async function approvalOf(
  client: Pick<Client, 'exchangeLogin' | 'retry'>,
  asked: { readonly device_code: string; readonly interval: number },
  signal: AbortSignal,
  output: Pick<Output, 'note'>,
): Promise<string> {
  let interval = asked.interval;
  let awayAtMs: number | undefined;
  for (;;) {
    try {
      return (await client.exchangeLogin({ body: { device_code: asked.device_code } }, { signal }))
        .access_token;
    } catch (error) {
      if (isPassing(error)) {
        if (awayAtMs === undefined) {
          awayAtMs = performance.now();
          output.note(`${sentenceOf(error)} It is asked again for a minute…`);
        }
        if (performance.now() - awayAtMs >= client.retry.lostLineMs) throw error;
      } else {
        awayAtMs = undefined;
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'slow_down') interval += slowDownSeconds;
        else if (error.code !== 'authorization_pending') throw refused(error);
      }
    }
    await sleep(interval * 1000, signal);
  }
}

function refused(error: ApiError): unknown {
  const again = { next: `Start again: ${commandLine('login')}` };
  if (error.code === 'access_denied') {
    return new CliError(exitCodes.notAllowed, 'access_denied', 'The sign-in was refused.', again);
  }
  if (error.code === 'expired_token') {
    return new CliError(exitCodes.notAllowed, 'expired_token', 'Nobody approved the sign-in in time.', again);
  }
  return error;
}
