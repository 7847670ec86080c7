import { ApiError } from '@spaceport/client/api-error';
import type { ExitCode } from './exit-codes.ts';
import { commandLineOfSpace } from './origin.ts';

/** An error whose message is shown to the user: what is wrong, in one sentence, and what to do next. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** snake_case, for `--json`. */
  readonly code: string;
  readonly next: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    exitCode: ExitCode,
    code: string,
    message: string,
    more: { next?: string; details?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.code = code;
    this.next = more.next;
    this.details = more.details ?? {};
  }
}

/** An error of the service, with a next step that the command knows better. */
export class HintedError extends Error {
  readonly error: ApiError;
  readonly next: string;

  constructor(error: ApiError, next: string) {
    super(error.message, { cause: error });
    this.name = 'HintedError';
    this.error = error;
    this.next = next;
  }
}

/** Gives a call's errors of these codes another next step. */
export async function withNext<T>(call: Promise<T>, next: Readonly<Record<string, string>>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const step = next[error.code];
    throw step === undefined ? error : new HintedError(error, step);
  }
}

/**
 * Gives a call about something in a space the command that lists such things as the next step. A space that is
 * not there is `not_found` too.
 */
export function withList<T>(call: Promise<T>, command: string): Promise<T> {
  return withNext(call, {
    not_found: `See what is there: ${commandLineOfSpace(command)}. Or check "space" in service.json or --space.`,
  });
}
