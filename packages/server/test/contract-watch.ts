import { appendFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
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
    // A parsed answer is without the fields that its schema does not have.
    const [sent, promised] = [body, parsed.data].map(written);
    if (!isDeepStrictEqual(sent, promised))
      throw new Error(
        `${operation.id} answered fields that it does not promise: ${pathsBeside(sent, promised)}`,
      );
  },
  refused(operation, code) {
    if (!errorsOf(operation).includes(code)) {
      throw new Error(`${operation.id} answered ${code}, which the contract does not list`);
    }
    const { TEST_CODES_FILE } = process.env;
    if (TEST_CODES_FILE) appendFileSync(TEST_CODES_FILE, `${operation.id} ${code}\n`);
  },
};

/** Returns an answer as its client reads it. */
function written(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body));
}

/** Returns the paths of what `sent` has and `promised` does not have, or has otherwise. */
function pathsBeside(sent: unknown, promised: unknown, path = ''): string[] {
  if (typeof sent !== 'object' || typeof promised !== 'object' || sent === null || promised === null)
    return isDeepStrictEqual(sent, promised) ? [] : [path];
  return Object.entries(sent).flatMap(([name, value]) =>
    pathsBeside(value, Reflect.get(promised, name), path === '' ? name : `${path}.${name}`),
  );
}
