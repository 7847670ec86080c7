import type { IncomingHttpHeaders } from 'node:http';
import { asToolRefusal } from '@spaceport/contract/mcp/next-steps';
import {
  type PublishWish,
  type ToolCallInput,
  type ToolHost,
  ToolRefusal,
} from '@spaceport/contract/mcp/tool';
import { publishArchive } from '@spaceport/contract/one-call';
import type { Operation } from '@spaceport/contract/operation';
import { claimHeader } from '@spaceport/contract/versions';
import type { FastifyReply } from 'fastify';
import { toErrorAnswer } from '../platform/http/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { packFiles } from './pack-files.ts';

export interface ToolHostOptions {
  readonly binder: Pick<Binder, 'call'>;
  readonly app: string;
  readonly readDocs: ToolHost['readDocs'];
}

/**
 * Creates the host that calls operations for a request to /mcp, with its API token if it has one. A
 * browser's session is ignored.
 */
export function createToolHost({ binder, app, readDocs }: ToolHostOptions, reply: FastifyReply): ToolHost {
  const { request } = reply;

  function headOf(claim: string | undefined, type?: string): IncomingHttpHeaders {
    const { authorization } = request.headers;
    return {
      ...(authorization !== undefined && { authorization }),
      ...(claim !== undefined && { [claimHeader]: claim }),
      ...(type !== undefined && { 'content-type': type }),
    };
  }

  async function call<Op extends Operation>(
    operation: Op,
    { params, query, body, claim }: ToolCallInput<Op>,
    type?: string,
  ) {
    const parts = { params: textsOf(params), query: query ?? {}, body };
    try {
      return await binder.call(operation, { reply, headers: headOf(claim, type), ...parts });
    } catch (error) {
      throw refusalOf(error, operation, parts.params);
    }
  }

  function refusalOf(error: unknown, operation: Operation, params: Record<string, string>): ToolRefusal {
    const { path } = operation;
    const situation = { app, path, params, operation };
    const { code, headers, body, unexpected } = toErrorAnswer(
      error,
      'plain',
      request.id,
      operation,
      situation,
    );
    if (unexpected) request.log.error({ err: error }, 'unexpected error');
    const { error: _, message, ...fields } = body;
    const retryAfter = headers['retry-after'];
    return new ToolRefusal(
      asToolRefusal(
        {
          code,
          message: String(message),
          ...fields,
          ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
        },
        app,
      ),
    );
  }

  return {
    app,
    readDocs,
    call: (operation, input = {}) => call(operation, input),
    publish: ({ files, query, claim }: PublishWish) =>
      call(publishArchive, { query, claim, body: packFiles(files) }, 'application/x-tar'),
  };
}

/** Converts path parameters to text. The operation checks them later. */
function textsOf(params: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]));
}
