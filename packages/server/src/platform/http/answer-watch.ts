import type { ErrorCode } from '@spaceport/contract/errors';
import type { Operation } from '@spaceport/contract/operation';

/**
 * Sees every response of an operation before it is sent, and throws if it is not as the contract promises.
 * For tests.
 */
export interface AnswerWatch {
  answered(operation: Operation, status: number, body: unknown): void;
  refused(operation: Operation, code: ErrorCode): void;
}
