import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { makeFolder, writeWhole } from '@spaceport/client/node/state-folder';
import { parseUrl } from '@spaceport/contract/parse-url';
import { z } from 'zod';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { homeFolder } from './home-folder.ts';
import { ownOrigin } from './origin.ts';
import { tryWriting } from './writing.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Tokens by the address of their service, and the default service. */
const configSchema = z.object({
  default: z.string().optional(),
  servers: z.record(z.string(), z.object({ token: z.string(), handle: z.string().nullable() })).default({}),
});
export type Config = z.output<typeof configSchema>;

const localServer = 'http://localhost:3000';

export function configPath(env: Environment): string {
  // The XDG Base Directory Specification has relative paths ignored.
  const { XDG_CONFIG_HOME: named = '' } = env;
  const folder = isAbsolute(named) ? named : join(homeFolder(), '.config');
  return join(folder, 'spaceport', 'config.json');
}

/**
 * Errors of a file that is not there for this user: no such file, no right to look for it (a container's user
 * with the home of root), or a home that is no folder.
 */
const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR']);

/** Reads the configuration. @throws CliError if the file exists and is not a configuration */
export function readConfig(env: Environment): Config {
  const path = configPath(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(error.code)) return { servers: {} };
    throw error;
  }
  try {
    return configSchema.parse(JSON.parse(text));
  } catch {
    throw new CliError(exitCodes.unexpected, 'bad_config', `${path} is not a configuration of spaceport.`, {
      next: 'Correct it, or delete it and sign in again.',
    });
  }
}

/** Writes the configuration. @throws CliError if it cannot be written */
export function writeConfig(env: Environment, config: Config): void {
  writeSecret(configPath(env), config);
}

/**
 * Writes a file of secrets beside the configuration. Only the user may read it.
 * @throws CliError if it cannot be written
 */
export function writeSecret(path: string, document: unknown): void {
  tryStoring(path, () => writeWhole(path, `${JSON.stringify(document, null, 2)}\n`, 0o600));
}

/**
 * Finds out whether a token can be stored, before a person is asked to approve one.
 * @throws CliError if it cannot
 */
export function requireWritable(env: Environment): void {
  const path = configPath(env);
  tryStoring(path, () => accessSync(dirname(path), constants.W_OK));
}

function tryStoring(path: string, store: () => void): void {
  const write = () => {
    makeFolder(dirname(path), 0o700);
    store();
  };
  tryWriting(path, write, {
    code: 'config_not_written',
    next: 'Set XDG_CONFIG_HOME to a folder that can be written. Or make a token in the settings of the account, and set SPACEPORT_TOKEN to it: nothing is stored then.',
  });
}

/**
 * Returns the service that a command uses. The first of these decides: the flag, the environment, the service
 * that served this command, the service of the last sign-in, this machine.
 */
export function chooseServer(flag: string | undefined, env: Environment, config: Config): string {
  const meant = env.SPACEPORT_SERVER || ownOrigin()?.server || config.default || localServer;
  return normaliseServer(flag ?? meant);
}

function normaliseServer(address: string): string {
  const url = parseUrl(address);
  if (url === null || !/^https?:$/u.test(url.protocol) || url.pathname !== '/' || url.search !== '') {
    throw new CliError(exitCodes.usage, 'usage', `${address} is not the address of a service.`, {
      next: 'Give it like this: --server https://spaceport.example',
    });
  }
  return url.origin;
}

/** @throws CliError if SPACEPORT_TOKEN has characters that no header can have */
export function chooseToken(server: string, env: Environment, config: Config): string | undefined {
  // Secrets that were pasted or read from a file often end with a newline.
  const set = env.SPACEPORT_TOKEN?.trim();
  if (!set) return config.servers[server]?.token;
  if (isSendable(set)) return set;
  throw new CliError(exitCodes.notAllowed, 'unauthorized', 'SPACEPORT_TOKEN is not a token.', {
    next: 'Set it to the token alone, sp_token_…, without a line break in it.',
  });
}

/** Tells whoever signs in or out that commands do not use what is stored, because the environment has a token. */
export function warnOfOwnToken(env: Environment, output: { warn(text: string): void }): void {
  if (env.SPACEPORT_TOKEN?.trim())
    output.warn('SPACEPORT_TOKEN is set: commands use it, and not the stored token.');
}

/** Returns whether a token has only characters that a header can have. */
export function isSendable(token: string): boolean {
  return /^[\x20-\x7e]+$/u.test(token);
}

/** Returns whether a token sent to the service could be read on the way. */
export function isExposed(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127\..*|\[::1\])$/u.test(hostname);
}
