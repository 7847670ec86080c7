import type { ErrorCode, Issue } from '@spaceport/contract/errors';

/**
 * What features throw. `message` is one sentence for the person who reads the answer; `details` are the
 * named fields of the answer's body. `platform/http/errors.ts` alone knows how it is spelled on the wire.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
  }
}

export type NextStep = (app: string) => string;

export interface ErrorDetails {
  issues?: Issue[];
  /** What helps: one sentence with an address or a command, given the address of the service. */
  next?: NextStep;
  /** Seconds, sent as the Retry-After header. */
  retryAfterSeconds?: number;
  /** How to sign in, sent as the WWW-Authenticate header. */
  challenge?: string;
  /** Methods, sent as the Allow header. */
  allow?: string;
  [field: string]: unknown;
}
