import type { ErrorCode } from '@spaceport/contract/errors';
import type { Operation } from '@spaceport/contract/operation';

/** Sees every answer of an operation before it goes out, and throws where it is not as promised: for tests. */
export interface AnswerWatch {
  answered(operation: Operation, status: number, body: unknown): void;
  refused(operation: Operation, code: ErrorCode): void;
}
