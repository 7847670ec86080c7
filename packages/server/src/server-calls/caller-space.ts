import type { Env, SpacesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Caller, SpaceCaller } from '../platform/http/caller.ts';
import { findStatesOfSecrets } from './caller-space.queries.ts';

/** @throws `unauthorized` for a caller that is not a space's own server */
export function requireSpaceCaller(caller: Caller): SpaceCaller {
  if (caller.kind === 'space') return caller;
  throw unauthorized();
}

/**
 * Returns the current states of the callers' spaces, by the secret's hash. A secret that was
 * replaced, or whose space is off the service, is left out. Call it in the write's transaction, so
 * that the states are current.
 */
export async function findCallerStates(
  tx: Tx,
  callers: readonly SpaceCaller[],
): Promise<Map<string, SpacesTable['state']>> {
  const hashes = new Set(callers.map(({ secretHash }) => secretHash));
  const rows = await findStatesOfSecrets(tx, [...hashes]);
  return new Map(rows.map(({ hash, state }) => [hash, state]));
}

/** Returns the env that a call writes to. An unlisted page has only sandbox data. */
export function envOf(state: SpacesTable['state'], sandbox: boolean | undefined): Env {
  return sandbox === true || state === 'unlisted' ? 'sandbox' : 'live';
}

export function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', 'The board secret was replaced, or its space is off the service.');
}
