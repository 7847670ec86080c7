import type { ExitCode } from './exit-codes.ts';

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
