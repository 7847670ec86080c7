import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeWhole } from '@spaceport/client/node/state-folder';
import { z } from 'zod';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { ownOrigin } from './origin.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Tokens by the address of their service, and the default service. */
const configSchema = z.object({
  default: z.string().optional(),
  servers: z.record(z.string(), z.object({ token: z.string(), handle: z.string().nullable() })).default({}),
});
export type Config = z.output<typeof configSchema>;

const localServer = 'http://localhost:3000';

export function configPath(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'spaceport', 'config.json');
}

/** Reads the configuration. @throws CliError if the file exists and is not a configuration */
export function readConfig(env: Environment): Config {
  const path = configPath(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { servers: {} };
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

/** Writes the configuration. Only the user may read the file, because it has tokens. */
export function writeConfig(env: Environment, config: Config): void {
  const path = configPath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeWhole(path, `${JSON.stringify(config, null, 2)}\n`, 0o600);
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
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/u.test(url.protocol) || url.pathname !== '/' || url.search !== '') {
    throw new CliError(exitCodes.usage, 'usage', `${address} is not the address of a service.`, {
      next: 'Give it like this: --server https://spaceport.example',
    });
  }
  return url.origin;
}

export function chooseToken(server: string, env: Environment, config: Config): string | undefined {
  return env.SPACEPORT_TOKEN || config.servers[server]?.token;
}

/** Returns whether a token sent to the service could be read on the way. */
export function isExposed(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127\..*|\[::1\])$/u.test(hostname);
}
