import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '@spaceport/contract/operation';
import fc from 'fast-check';
import { addressOf, type EveryCaller, inTurn, openForAll } from './every-caller.ts';
import { fromSchema } from './from-schema.ts';
import { noteStatements } from './statement-plans.ts';

const onPostgres =
  process.env.TEST_ENGINE === 'postgres' ? 'PostgreSQL plans by what is in its tables' : false;
/** Most generated requests are refused before any query, so fewer of them are enough on PostgreSQL. */
const runs = onPostgres ? 10 : 25;

describe('every operation', () => {
  let all: EveryCaller;
  const statements = noteStatements();
  before(async () => {
    all = await openForAll();
  });
  after(async () => {
    statements.restore();
    await all.service.close({ allowFailedJobs: true });
  });

  for (const operation of inTurn) {
    const { id, method, path, params, query, body } = operation;
    it(`${id} gives only answers of its contract, whatever is sent`, async () => {
      // Moves the clock so that limits do not refuse the next requests.
      all.service.clock.advance({ hours: 1 });
      const part = (schema: Operation['params']) =>
        schema === undefined ? fc.constant(undefined) : fromSchema(schema, all.known);
      const sent = fc.record({ params: part(params), query: part(query), body: part(body) });
      await fc.assert(
        fc.asyncProperty(sent, async (one) => {
          const answer = await all.service.anonymous.call(
            method,
            addressOf(path, one),
            one.body === undefined || method === 'GET' ? undefined : JSON.stringify(one.body),
            all.headersOf(operation),
          );
          // The test service turns an answer that the contract does not list into a 500.
          assert.ok(answer.status < 500 || answer.status === 503, `${answer.status} ${answer.text()}`);
        }),
        { numRuns: runs },
      );
    });
  }

  it('never reads the whole of a table that grows with the service', { skip: onPostgres }, () => {
    assert.deepEqual(statements.wholeReads(), []);
  });
});
