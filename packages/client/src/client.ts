import type { Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import type { CallInput, CallOptions, Methods } from './call-types.ts';
import { type Caller, type ClientOptions, createCaller } from './caller.ts';
import { meaningOf } from './error-meanings.ts';

export type { ClientOptions } from './caller.ts';

export interface Client extends Methods, Caller {
  /** Returns the same client with a claim token, which the first publish without an account gets. */
  withClaim(claim: string): Client;
}

/** Returns a typed client for browsers and Node, with one method for each operation of the contract. */
export function createClient(options: ClientOptions): Client {
  const caller = createCaller(options, meaningOf);
  // Without the types of one operation, because the loop is over all of them.
  const call = caller.call as (op: Operation, input?: CallInput, more?: CallOptions) => Promise<unknown>;
  const methods: Record<string, unknown> = {};
  for (const operation of operations) {
    methods[operation.id] = (input?: CallInput, more?: CallOptions) => call(operation, input, more);
  }
  const withClaim = (claim: string) => createClient({ ...options, claim });
  // The loop above makes exactly the methods of the type: both come from `operations`.
  return { ...methods, ...caller, withClaim } as unknown as Client;
}
