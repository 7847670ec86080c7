import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { configPath, type Environment, writeSecret } from './config.ts';

const startedLogin = z.object({
  server: z.string(),
  device_code: z.string(),
  /** Seconds between two polls. */
  interval: z.number(),
});
const fileSchema = z.array(startedLogin);

/** A sign-in whose link was shown, but that was not finished yet. */
export type StartedLogin = z.output<typeof startedLogin>;

const pathOf = (env: Environment) => join(dirname(configPath(env)), 'started-logins.json');

/**
 * Stores the newest sign-in per service. Only the user may read the file, because an approved code gives a
 * token.
 */
export function keepLogin(env: Environment, login: StartedLogin): void {
  write(env, [...others(env, login.server), login]);
}

export function readLogin(env: Environment, server: string): StartedLogin | null {
  return readAll(env).find((login) => login.server === server) ?? null;
}

export function forgetLogin(env: Environment, server: string): void {
  const rest = others(env, server);
  if (rest.length > 0) write(env, rest);
  else rmSync(pathOf(env), { force: true });
}

function others(env: Environment, server: string): StartedLogin[] {
  return readAll(env).filter((login) => login.server !== server);
}

function write(env: Environment, logins: readonly StartedLogin[]): void {
  writeSecret(pathOf(env), logins);
}

function readAll(env: Environment): StartedLogin[] {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(pathOf(env), 'utf8')));
  } catch {
    // The file does not exist or is not readable: starting another sign-in is easy.
    return [];
  }
}
