import { ApiError, ConnectionError, notTheServiceCode } from '@spaceport/client/api-error';
import type { CallError, Code } from '@spaceport/contract/sdk-protocol';

/** The error of a space's call, in the form for the space. */
export class StageError extends Error {
  readonly code: Code;
  readonly more: Omit<CallError, 'code' | 'message'>;

  constructor(code: Code, message: string, more: Omit<CallError, 'code' | 'message'> = {}) {
    super(message);
    this.name = 'StageError';
    this.code = code;
    this.more = more;
  }
}

/** The call is of a player who plays no more: another account has signed in, or nobody is signed in. */
export class OtherPlayer extends StageError {
  constructor() {
    super('closed', 'Somebody else plays now: the event `player` says who.');
  }
}

/** Codes of the service that are more specific than their status. */
const byCode: Readonly<Record<string, Code>> = {
  banned: 'banned',
  kicked: 'banned',
  room_full: 'full',
  room_locked: 'closed',
  space_unavailable: 'closed',
  conflict: 'conflict',
  too_large: 'too_large',
  too_many: 'full',
  no_handle: 'sign_in_required',
  sign_in_required: 'sign_in_required',
  unauthorized: 'sign_in_required',
  run_used: 'closed',
  session_over: 'closed',
};

const byStatus: Readonly<Record<number, Code>> = {
  401: 'sign_in_required',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  413: 'too_large',
  429: 'rate_limited',
  507: 'full',
};

/** Converts any error for the frame: only a code of the module and a sentence. */
export function toCallError(error: unknown): CallError {
  if (error instanceof StageError) return { code: error.code, message: error.message, ...error.more };
  if (error instanceof ConnectionError) return { code: 'offline', message: 'The service cannot be reached.' };
  if (isOfAnother(error)) return { code: 'offline', message: error.message };
  if (!(error instanceof ApiError))
    return { code: 'closed', message: 'Something went wrong on the page around the space.' };
  const { code, status, message, retryAfterSeconds } = error;
  const issues = issuesOf(error);
  // A service error counts as `offline`: the player goes on, and queued writes are sent later.
  const told = byCode[code] ?? byStatus[status] ?? (status >= 500 ? 'offline' : 'invalid');
  return {
    code: told,
    message,
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

function issuesOf({ details }: ApiError): { path: string; message: string }[] {
  const { issues } = details;
  if (!Array.isArray(issues)) return [];
  return issues.flatMap((issue: { path?: unknown; message?: unknown } | null) =>
    typeof issue?.path === 'string' && typeof issue.message === 'string'
      ? [{ path: issue.path, message: issue.message }]
      : [],
  );
}

/**
 * Returns whether the same call may succeed later: no answer came, the service is unavailable, or the space is
 * offline or held, which may end while the player plays on.
 */
export function isAway(error: unknown): boolean {
  if (error instanceof ConnectionError || isOfAnother(error)) return true;
  return error instanceof ApiError && (error.status >= 500 || error.code === 'space_unavailable');
}

/**
 * Returns whether something before the service has answered in its place: a hotspot's or a proxy's page. It
 * says nothing of the call, except that no proxy takes one of this size.
 */
function isOfAnother(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === notTheServiceCode && error.status !== 413;
}
