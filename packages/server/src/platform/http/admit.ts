import { Readable } from 'node:stream';
import { type Operation, usualMaxBodyBytes } from '@spaceport/contract/operation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { networkOf } from '../limits/address-network.ts';
import { SharedBuckets } from '../limits/shared-buckets.ts';
import { requireTaken } from '../limits/token-buckets.ts';
import type { Together } from '../processes/together.ts';
import type { Soon } from '../when-known.ts';
import { type BodyBudget, declaredBytes, type GiveBack, hasBody, tooManyBytes } from './body-budget.ts';
import type { Caller } from './caller.ts';
import type { ClientAddress } from './client-address.ts';
import { isSafeMethod } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the client, according to TRUST_PROXY. */
    readonly address: string;
    /**
     * The result of the checks on the head of an operation's request, if they ran before its body was read;
     * null otherwise.
     */
    admitted: Admitted | null;
  }
}

/** The path parameters and the caller, as far as the head of a request tells them. */
export interface Admitted {
  readonly params: unknown;
  readonly caller: Caller | null;
}

/** The parts of a request that say who makes it. */
export type Credentialed = Pick<FastifyRequest, 'method' | 'headers' | 'body'>;

/**
 * Resolves the credential of a request, as the operation's `credential` requires. Both functions throw
 * `unauthorized` and similar errors.
 */
export interface Authenticate {
  /**
   * Resolves it from the head alone, before any of the body is read; null if only the body can tell. Returns
   * no promise when the caller is already known.
   */
  byHead(request: Credentialed, operation: Operation): Soon<Caller | null>;
  /** Completes the caller with what the body says. */
  byBody(caller: Caller | null, request: Credentialed, operation: Operation): Caller;
}

/**
 * How many bytes one network may send per minute in large bodies without an account: each body costs time to
 * parse.
 */
const largeBytesPerMinute = 32 * 1024 * 1024;

export interface BodyRules {
  readonly clientAddress: ClientAddress;
  readonly budget: BodyBudget;
}

/**
 * Applies the limits of every body before it is read: the length that its route accepts, and room in the
 * budget, which is given back when the response closes. Bodies that are passed on as streams have limits of
 * their own.
 */
export function limitBodies(app: FastifyInstance, { clientAddress, budget }: BodyRules): void {
  app.decorateRequest('admitted', null);
  app.decorateRequest('address', {
    getter(this: FastifyRequest) {
      return clientAddress(this.raw);
    },
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    // Such a stream has no events, which parsers wait for (see listener.ts).
    if (request.raw.readableEnded) return done(null, Readable.from([]));
    const { config, bodyLimit } = request.routeOptions;
    const max = bodyLimit ?? usualMaxBodyBytes;
    // A body that comes with a GET is not read, and its connection ends.
    if (config.streams || isSafeMethod(request.method) || !hasBody(request.raw)) return done(null, payload);
    const bytes = declaredBytes(request.headers) ?? max;
    if (bytes > max) return done(bodyTooLarge(max));
    const taken = budget.take(bytes, networkOf(request.address));
    const goOn = (giveBack: GiveBack | null) => {
      if (!giveBack) return done(tooManyBytes());
      // The client may have left while other processes were asked: then no `close` event follows.
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
 * Makes the limit for large bodies that are sent without an account. The function returns no promise if there is
 * nobody to ask.
 * @throws `rate_limited`
 */
export function createLargeBodyLimit(
  together: Together,
): (request: FastifyRequest, caller: Caller | null) => Soon<void> {
  const buckets = new SharedBuckets(together, 'large bodies', largeBytesPerMinute);
  return (request, caller) => {
    if (caller?.kind === 'creator' || caller?.kind === 'space') return;
    const max = request.routeOptions.bodyLimit ?? usualMaxBodyBytes;
    const bytes = Math.min(declaredBytes(request.headers) ?? max, max);
    if (bytes <= usualMaxBodyBytes) return;
    return requireTaken(
      [buckets.take(networkOf(request.address), bytes)],
      'Too much was sent from your network without an account; try again shortly.',
    );
  };
}
