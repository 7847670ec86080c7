import { cliLine } from '@spaceport/contract/cli-line';

/** The origin of this command: the service that served it, and its build. */
export interface Origin {
  readonly server: string;
  readonly build: string;
}

// A global of the process, like its arguments, because messages everywhere depend on it.
let origin: Origin | null = null;

/** Sets the origin. Called once, before anything runs. @param given null for the command of a checkout */
export function comeFrom(given: Origin | null): void {
  origin = given;
}

export function ownOrigin(): Origin | null {
  return origin;
}

/**
 * Returns the shell command with which the user runs this command line. For a fetched command it is never the
 * bare name, because the machine has no such command, and npm would look for somebody else's.
 */
export function commandLine(words: string): string {
  return origin === null ? `spaceport ${words}`.trimEnd() : cliLine(origin.server, words).trimEnd();
}
