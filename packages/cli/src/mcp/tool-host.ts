import { ApiError, ConnectionError, notTheServiceCode } from '@spaceport/client/api-error';
import { newCreateKey } from '@spaceport/client/create-key';
import { FolderError } from '@spaceport/client/node/folder-source';
import { httpFetch } from '@spaceport/client/node/http-fetch';
import { asToolRefusal } from '@spaceport/contract/mcp/next-steps';
import { type GivenFile, type PublishWish, type ToolHost, ToolRefusal } from '@spaceport/contract/mcp/tool';
import { publishArchive } from '@spaceport/contract/one-call';
import { idempotencyHeader } from '@spaceport/contract/server-calls';
import { chooseToken, readConfig } from '../config.ts';
import { type Context, connect, type Patience, serverOf } from '../context.ts';
import { failureOf } from '../failure.ts';
import { commandLine } from '../origin.ts';

/** With the wait of a long poll, all tries are over before clients give up a call: after a minute. */
const patience: Patience & { timeoutMs: number } = { timeoutMs: 20_000, retry: { attempts: 3 } };

/** Returns a tool host that calls the service with this machine's stored token, or without one. */
export function toolHost(context: Context): ToolHost {
  const app = serverOf(context);
  const clientFor = (claim: string | undefined, given: Patience) => {
    const client = connect(context, app, chooseToken(app, context.env, readConfig(context.env)), given);
    return claim === undefined ? client : client.withClaim(claim);
  };
  return {
    app,
    call: (operation, { claim, ...input } = {}) =>
      // The tool's input has the parts that the client's method takes.
      refusing(app, () =>
        clientFor(claim, patience).call(operation, input as never, { signal: context.signal }),
      ),
    publish: ({ files, query, claim }: PublishWish) =>
      refusing(app, async () => {
        const { body, type } = await formOf(files);
        const headers = { 'content-type': type, [idempotencyHeader]: newCreateKey() };
        // It goes on after the call of the tool (publishes.ts).
        const client = clientFor(claim, {});
        return client.call(publishArchive, { query, body }, { headers, signal: context.signal });
      }),
    readDocs: (path) =>
      refusing(app, async () => {
        const headers = { accept: 'text/markdown, text/plain' };
        const signal = AbortSignal.any([context.signal, AbortSignal.timeout(patience.timeoutMs)]);
        try {
          const answer = await httpFetch(app + path, { method: 'GET', headers, redirect: 'manual', signal });
          return answer.ok ? await answer.text() : null;
        } catch (error) {
          throw new ConnectionError(app, signal.aborted ? signal.reason : error);
        }
      }),
  };
}

/**
 * Runs `work`, and turns any error into a refusal for the agent, with the message of the service or the
 * command.
 */
export async function refusing<T>(app: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, next: ofCommand, details } = failureOf(error);
    // Of an answer of the service the command's own next step names its options, which no tool has.
    const isOfService = error instanceof ApiError && error.code !== notTheServiceCode;
    const next = isOfService ? error.details.next : ofCommand;
    const told = { ...details, code, message, ...(typeof next === 'string' && { next }) };
    // What is wrong with a folder on this machine the command knows better.
    const refusal = error instanceof FolderError ? told : asToolRefusal(told, app);
    const isSignedOut = code === 'unauthorized' || code === 'not_signed_in';
    throw new ToolRefusal(isSignedOut ? { ...refusal, next: signIn() } : refusal);
  }
}

function signIn(): string {
  return `Sign in: run ${commandLine('login --start')}, have the person open the link, then ${commandLine('login --finish')}; call the tool again.`;
}

function refusedPath(path: string): ApiError {
  const message = `«${path}» has a character that no path may have.`;
  return new ApiError({ status: 422, code: 'invalid_files', message, details: { paths: [path] } });
}

async function formOf(files: readonly GivenFile[]): Promise<{ body: Uint8Array<ArrayBuffer>; type: string }> {
  const form = new FormData();
  for (const { path, text, base64 } of files) {
    // A form encodes these characters differently, and would name another file.
    if (/["\p{Cc}]/u.test(path)) throw refusedPath(path);
    const bytes = base64 === undefined ? (text ?? '') : Buffer.from(base64, 'base64');
    form.append('file', new Blob([bytes]), path);
  }
  const request = new Response(form);
  const type = request.headers.get('content-type') ?? '';
  return { body: new Uint8Array(await request.arrayBuffer()), type };
}
