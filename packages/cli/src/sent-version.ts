import { ConnectionError } from '@spaceport/client/api-error';
import type { PublishPhase } from '@spaceport/client/progress';
import type { CreatedVersion } from '@spaceport/client/publish';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { commandLine } from './origin.ts';

/**
 * Follows a publish that is to go live. Once its version is finished, an interruption ends the command alone: the
 * version goes live all the same, and whoever has pressed Ctrl-C to stop that must know.
 */
export class SentVersion {
  #phase: PublishPhase = 'creating';
  #created: CreatedVersion | undefined;

  /** @param resumed a version that an earlier publish has begun */
  constructor(resumed?: CreatedVersion) {
    this.#created = resumed;
  }

  enter(phase: PublishPhase): void {
    this.#phase = phase;
  }

  created(version: CreatedVersion): void {
    this.#created = version;
  }

  /** Returns the error of a publish that resumes: of one whose line was lost with what to do, in place of what to check. */
  orResumable(error: unknown): unknown {
    if (this.#created === undefined || !(error instanceof ConnectionError)) return error;
    const { space, version } = this.#created;
    return new CliError(exitCodes.unavailable, 'no_answer', error.message, {
      next: 'Nothing is lost: run it again once the line is back, and it goes on where it was.',
      details: { version, space },
    });
  }

  /** Returns the error of a publish, or of an interrupted one what goes on without the command. */
  explain(error: unknown, signal: AbortSignal): unknown {
    if (!signal.aborted || this.#created === undefined) return error;
    const { space, version } = this.#created;
    const goesLive = this.#whatGoesOn();
    if (goesLive === null) return error;
    const message = `Interrupted, but version ${version.number} of ${space.slug} ${goesLive} if it passes the safety check.`;
    return new CliError(exitCodes.interrupted, 'interrupted', message, {
      next: `See how it went: ${commandLine(`status ${version.number} --space ${space.slug}`)}`,
      details: { version, space },
    });
  }

  #whatGoesOn(): string | null {
    if (this.#phase === 'checking' || this.#phase === 'done') return 'is sent: it goes live';
    // The call may have arrived.
    return this.#phase === 'finishing' ? 'may be sent already: then it goes live' : null;
  }
}
