import { appendFileSync } from 'node:fs';
import { errorsOf } from '@spaceport/contract/operation';
import type { AnswerWatch } from '../src/platform/http/answer-watch.ts';

/**
 * Checks every answer in a test against the contract: its shape, and the listed error codes of its operation.
 * The codes are written to the file in TEST_CODES_FILE, so that the runner can report codes that no test has
 * produced.
 */
export const contractWatch: AnswerWatch = {
  answered(operation, status, body) {
    const schema = operation.answers[status];
    if (!schema) throw new Error(`${operation.id} answered ${status}, which the contract does not name`);
    const parsed = schema.safeParse(body);
    if (!parsed.success)
      throw new Error(`${operation.id} answered another shape than promised: ${parsed.error.message}`);
  },
  refused(operation, code) {
    if (!errorsOf(operation).includes(code)) {
      throw new Error(`${operation.id} answered ${code}, which the contract does not list`);
    }
    const { TEST_CODES_FILE } = process.env;
    if (TEST_CODES_FILE) appendFileSync(TEST_CODES_FILE, `${operation.id} ${code}\n`);
  },
};
