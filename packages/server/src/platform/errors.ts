import type { ErrorCode, Issue } from '@spaceport/contract/errors';

/**
 * The error that features throw. `message` is one sentence for the person who reads the response; `details`
 * become fields of its body. Only `platform/http/errors.ts` knows how it is written on the wire.
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

/** Makes the sentence of the next step from the address of the service and the id of the operation that refused. */
export type NextStep = (app: string, operationId?: string) => string;

export interface ErrorDetails {
  issues?: Issue[];
  /**
   * The next step that helps: one sentence with an address or a command, given the address of the service.
   */
  next?: NextStep;
  /** Seconds, sent as the Retry-After header. */
  retryAfterSeconds?: number;
  /** How to sign in, sent as the WWW-Authenticate header. */
  challenge?: string;
  /** Methods, sent as the Allow header. */
  allow?: string;
  [field: string]: unknown;
}
