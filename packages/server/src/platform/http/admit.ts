import { type Operation, usualMaxBodyBytes } from '@spaceport/contract/operation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { networkOf } from '../limits/address-network.ts';
import { SharedBuckets } from '../limits/shared-buckets.ts';
import { requireTaken } from '../limits/token-buckets.ts';
import type { Together } from '../processes/together.ts';
import { type BodyBudget, declaredBytes, type GiveBack, hasBody } from './body-budget.ts';
import type { Caller } from './caller.ts';
import type { ClientAddress } from './client-address.ts';
import { isSafeMethod } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address the request came from, as TRUST_PROXY has it. */
    readonly address: string;
    /** What the head of an operation's request came to, where it was looked at before its body. */
    admitted: Admitted | null;
  }
}

/** Who asks, as far as the head of a request says. */
export interface Admitted {
  readonly params: unknown;
  readonly caller: Caller | null;
}

/** What of a request says who makes it. */
export type Credentialed = Pick<FastifyRequest, 'method' | 'headers' | 'body'>;

/** Resolves a request's credential as the operation's `credential` asks; both throw `unauthorized` and its like. */
export interface Authenticate {
  /** By the head alone, before any of the body is read; null where only the body can say. At once where that is known. */
  byHead(request: Credentialed, operation: Operation): Caller | null | Promise<Caller | null>;
  /** With what the body adds to it. */
  byBody(caller: Caller | null, request: Credentialed, operation: Operation): Caller;
}

/** What one network may send without an account in bodies longer than usual: each costs time to look at. */
const largeBytesPerMinute = 32 * 1024 * 1024;

export interface BodyRules {
  readonly clientAddress: ClientAddress;
  readonly budget: BodyBudget;
}

/**
 * What holds for every body before it is read: the length its route takes, and room in the budget, which is given back
 * with the answer. Bodies that are passed on as streams have limits of their own.
 */
export function limitBodies(app: FastifyInstance, { clientAddress, budget }: BodyRules): void {
  app.decorateRequest('admitted', null);
  app.decorateRequest('address', {
    getter(this: FastifyRequest) {
      return clientAddress(this.raw);
    },
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { config, bodyLimit } = request.routeOptions;
    const max = bodyLimit ?? usualMaxBodyBytes;
    // A body that comes with a GET is not read at all, and ends its connection.
    if (config.streams || isSafeMethod(request.method) || !hasBody(request.raw)) return done(null, payload);
    const bytes = declaredBytes(request.headers) ?? max;
    if (bytes > max) return done(bodyTooLarge(max));
    const taken = budget.take(bytes, networkOf(request.address));
    const goOn = (giveBack: GiveBack | null) => {
      if (!giveBack) return done(new ServiceError('failed', 'Too much is being sent at once; try again.'));
      // Who left while others were asked has no close to wait for.
      if (reply.raw.destroyed) giveBack();
      else reply.raw.once('close', giveBack);
      done(null, payload);
    };
    if (taken instanceof Promise) taken.then(goOn, done);
    else goOn(taken);
  });
}

export function bodyTooLarge(maxBodyBytes: number): ServiceError {
  return new ServiceError('too_large', `The body is over ${maxBodyBytes} bytes.`, { maxBodyBytes });
}

/**
 * Counts what is sent without an account in bodies longer than usual: null where there is nothing to count.
 * @throws `rate_limited`
 */
export function createLargeBodyLimit(
  together: Together,
): (request: FastifyRequest, caller: Caller | null) => Promise<void> | null {
  const buckets = new SharedBuckets(together, 'large bodies', largeBytesPerMinute);
  return (request, caller) => {
    if (caller?.kind === 'creator' || caller?.kind === 'space') return null;
    const max = request.routeOptions.bodyLimit ?? usualMaxBodyBytes;
    const bytes = Math.min(declaredBytes(request.headers) ?? max, max);
    if (bytes <= usualMaxBodyBytes) return null;
    return requireTaken(
      [buckets.take(networkOf(request.address), bytes)],
      'Too much was sent from your network without an account; try again shortly.',
    );
  };
}
