import assert from 'node:assert/strict';
import { it } from 'node:test';
import { unbuiltDocument } from './unbuilt-document.ts';

it('a problem is shown as text when the pages are not built', () => {
  const told = unbuiltDocument({ title: 'That did not work', text: '<b>why</b>', requestId: 'r-1' });
  assert.match(told, /^<!doctype html>\n<html lang="en">/u);
  assert.match(told, /<h1>That did not work<\/h1>\n<p>&lt;b&gt;why&lt;\/b&gt;<\/p>/u);
  assert.match(told, /name the request <code>r-1<\/code>/u);
  assert.doesNotMatch(unbuiltDocument({ title: 'x', text: 'y', requestId: null }), /request/u);
});
