import type { ErrorCode } from '@spaceport/contract/errors';
import { type Edge, type Operation, statusOf } from '@spaceport/contract/operation';
import { BlobGone, StoreUnavailable } from '../blobs/blob-store.ts';
import { isHeldUp, isRefused, isUnavailable, lacksTables } from '../db/failures.ts';
import { ServiceError } from '../errors.ts';
import { nextStep, type Situation } from './next-step.ts';

/** An error as it is sent. */
export interface ErrorAnswer {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
  /** True for an error that should be looked into. */
  readonly unexpected: boolean;
}

const retrySeconds = 2;

/**
 * Makes the response for an error. Only this module knows how the two edges write errors.
 * Without a situation there is no next step.
 */
export function toErrorAnswer(
  error: unknown,
  edge: Edge,
  requestId: string,
  operation: Pick<Operation, 'statuses'> = {},
  situation: Situation | null = null,
): ErrorAnswer {
  const known = error instanceof ServiceError ? error : translate(error, edge);
  const { retryAfterSeconds, allow, challenge = 'Bearer', next: ownStep, ...fields } = known.details;
  const code = spelledFor(edge, known.code);
  const status = statusOf(operation, code);
  const headers: Record<string, string> = {};
  if (allow !== undefined) headers.allow = allow;
  if (status === 401) headers['www-authenticate'] = challenge;
  if (status === 429 || status === 503) {
    headers['retry-after'] = String(retryAfterSeconds ?? retrySeconds);
  }
  const isRefusal = status < 500 && situation !== null;
  const next = isRefusal
    ? (ownStep?.(situation.app, situation.operation?.id) ?? nextStep(code, situation))
    : undefined;
  const help = next === undefined ? {} : { next };
  const request = code === 'server_error' ? { requestId } : {};
  const body =
    edge === 'hosting'
      ? { error: known.message, code, ...fields, ...help, ...request }
      : {
          error: code,
          message: known.message,
          ...fields,
          ...help,
          ...(code === 'server_error' ? { request_id: requestId } : {}),
        };
  return { code, status, headers, body, unexpected: code === 'server_error' };
}

/** Returns the code as the edge names it: `invalid` and `failed` have other names in hosting. */
function spelledFor(edge: Edge, code: ErrorCode): ErrorCode {
  if (edge !== 'hosting') return code;
  if (code === 'invalid') return 'invalid_request';
  if (code === 'failed') return 'hosting_unavailable';
  return code;
}

function translate(error: unknown, edge: Edge): ServiceError {
  if (
    isUnavailable(error) ||
    isRefused(error) ||
    isHeldUp(error) ||
    lacksTables(error) ||
    error instanceof StoreUnavailable ||
    error instanceof BlobGone
  ) {
    return edge === 'hosting'
      ? new ServiceError(
          'hosting_unavailable',
          'The file store or the database did not answer; retry shortly.',
          {},
          error,
        )
      : new ServiceError('failed', 'The request could not be done now; try again.', {}, error);
  }
  return new ServiceError('server_error', 'Something went wrong on our side.', {}, error);
}
