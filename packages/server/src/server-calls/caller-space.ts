import type { Env, SpacesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Caller, SpaceCaller } from '../platform/http/caller.ts';
import { findStatesOfSecrets } from './caller-space.queries.ts';

/** @throws `unauthorized` for a caller who is no space's own server */
export function requireSpaceCaller(caller: Caller): SpaceCaller {
  if (caller.kind === 'space') return caller;
  throw unauthorized();
}

/**
 * The states of the spaces whose secrets these are now, by the secret's hash: none for a secret that was replaced
 * meanwhile, or whose space is off the service. Inside a write's transaction nothing is older than the write.
 */
export async function findCallerStates(
  tx: Tx,
  callers: readonly SpaceCaller[],
): Promise<Map<string, SpacesTable['state']>> {
  const hashes = new Set(callers.map(({ secretHash }) => secretHash));
  const rows = await findStatesOfSecrets(tx, [...hashes]);
  return new Map(rows.map(({ hash, state }) => [hash, state]));
}

/** Where a call writes to: an unlisted page has sandbox data only. */
export function envOf(state: SpacesTable['state'], sandbox: boolean | undefined): Env {
  return sandbox === true || state === 'unlisted' ? 'sandbox' : 'live';
}

export function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', 'The board secret was replaced, or its space is off the service.');
}
