import { cliLine } from '@spaceport/contract/cli-line';

/** Where this command comes from: the service that gave it out, and which state of it this is. */
export interface Origin {
  readonly server: string;
  readonly build: string;
}

// A fact of the process, like its arguments: what is said to the user everywhere depends on it.
let origin: Origin | null = null;

/** Said once, before anything runs. @param given null for the command of a checkout */
export function comeFrom(given: Origin | null): void {
  origin = given;
}

export function ownOrigin(): Origin | null {
  return origin;
}

/**
 * How the user runs this command with these words. Never by the bare name where it was fetched: there is none of that
 * name on the machine, and npm would look for somebody else's.
 */
export function commandLine(words: string): string {
  return origin === null ? `spaceport ${words}`.trimEnd() : cliLine(origin.server, words).trimEnd();
}
