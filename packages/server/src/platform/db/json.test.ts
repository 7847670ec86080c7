import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fromJson, type Json, toJson } from './json.ts';

interface Page {
  readonly shown: boolean;
}

it('a value is the same after it is written and read', () => {
  const page: Page = { shown: true };
  assert.deepEqual(fromJson(toJson(page)), page);
});

it('the compiler distinguishes stored JSON texts by the type of their value', () => {
  const takesPage = (text: Json<Page>): boolean => fromJson(text).shown;
  assert.equal(takesPage(toJson({ shown: false })), false);
  // @ts-expect-error: any text may be no JSON, or of something else
  assert.throws(() => takesPage('not JSON'));
  // @ts-expect-error: JSON of another value
  assert.equal(takesPage(toJson([])), undefined);
  // @ts-expect-error: JSON made without toJson
  assert.equal(takesPage(JSON.stringify({ shown: true })), true);
});
