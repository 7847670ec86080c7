import { cliLine } from '@spaceport/contract/cli-line';
import { parseUrl } from '@spaceport/contract/parse-url';
import { quoted } from './quoted.ts';

/** The origin of this command: the service that served it, and its build. */
export interface Origin {
  readonly server: string;
  readonly build: string;
}

/** Flags that a command was given, and that a command printed as the next step has to have too. */
export interface Repeated {
  readonly server?: string | undefined;
  readonly space?: string | undefined;
}

// Globals of the process, like its arguments, because messages everywhere depend on them.
let origin: Origin | null = null;
let repeated: Repeated = {};

/** Sets the origin. Called once, before anything runs. @param given null for the command of a checkout */
export function comeFrom(given: Origin | null): void {
  origin = given;
  repeated = {};
}

/** Sets the flags that printed commands repeat. Called once, before a command runs. */
export function repeatFlags(flags: Repeated): void {
  repeated = flags;
}

export function ownOrigin(): Origin | null {
  return origin;
}

/**
 * Returns the shell command with which the user runs this command line. For a fetched command it is never the
 * bare name, because the machine has no such command, and npm would look for somebody else's.
 */
export function commandLine(words: string): string {
  const { server } = repeated;
  if (server !== undefined) return commandLineAt(server, words);
  return origin === null ? `spaceport ${words}`.trimEnd() : cliLine(origin.server, words).trimEnd();
}

/** As `commandLine`, for a command about the space that `--space` has named, or service.json. */
export function commandLineOfSpace(words: string): string {
  return commandLine(repeated.space === undefined ? words : `${words} --space ${quoted(repeated.space)}`);
}

/** As `commandLine`, for a service that may be another one than the command asks by itself. */
export function commandLineAt(server: string, words: string): string {
  const address = parseUrl(server)?.origin ?? server;
  const whole = address === origin?.server ? words : `${words} --server ${quoted(address)}`;
  return origin === null ? `spaceport ${whole}` : cliLine(origin.server, whole);
}
