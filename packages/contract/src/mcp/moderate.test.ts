import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from './call-tool.ts';
import { tools } from './tools.ts';

test('the scores of guests count among those that are deleted', async () => {
  const host = { call: async () => ({ submissions: 2, guest_scores: 3, boards: [], first: [] }) } as never;
  const told = async (more: object) => {
    const given = { space: 'moon-hopper', action: 'delete_scores', version: 1, ...more };
    return (await callTool(tools, { name: 'moderate', arguments: given }, host)).structuredContent;
  };
  assert.equal((await told({ dry_run: true })).would_delete, 5);
  assert.equal((await told({})).deleted, 5);
});
