import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { httpFetch } from '@spaceport/client/node/http-fetch';
import { makeFolder, writeWhole } from '@spaceport/client/node/state-folder';
import { cliLine } from '@spaceport/contract/cli-line';
import { z } from 'zod';
import { configPath, type Environment } from './config.ts';
import type { Origin } from './origin.ts';

const askEveryMs = 24 * 3_600_000;
/** Longest wait for the service's answer. */
const patienceMs = 1_500;

const askedSchema = z.record(z.string(), z.number());
const newestSchema = z.object({ version: z.string(), build: z.string() });

/**
 * Asks the service that served this command whether it now serves a newer one, at most once a day.
 * @returns the sentence for the user, or null; never throws
 */
export async function findUpdate(env: Environment, origin: Origin, nowMs: number): Promise<string | null> {
  try {
    if (!isTurn(env, origin.server, nowMs)) return null;
    const answer = await httpFetch(`${origin.server}/cli.json`, {
      method: 'GET',
      redirect: 'manual',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(patienceMs),
    });
    if (!answer.ok) return null;
    const newest = newestSchema.parse(JSON.parse(await answer.text()));
    if (newest.build === origin.build) return null;
    return `${origin.server} has a newer command (${newest.version}, build ${newest.build}; this is build ${origin.build}). To have it: ${cliLine(origin.server, '--version')}`;
  } catch {
    return null;
  }
}

/**
 * Records the time before the request, so that the next command does not ask an unreachable service again.
 */
function isTurn(env: Environment, server: string, nowMs: number): boolean {
  const file = join(dirname(configPath(env)), 'updates.json');
  const asked = readAsked(file);
  const last = asked[server] ?? 0;
  // If the clock was set back, it asks again.
  if (last <= nowMs && nowMs - last < askEveryMs) return false;
  makeFolder(dirname(file), 0o700);
  writeWhole(file, `${JSON.stringify({ ...asked, [server]: nowMs })}\n`, 0o600);
  return true;
}

function readAsked(file: string): Record<string, number> {
  try {
    return askedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
