import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool, describeTools } from '@spaceport/contract/mcp/call-tool';
import { tools } from '@spaceport/contract/mcp/tools';
import { ok } from '../../client/test/fake-answers.ts';
import { fakeCli } from '../test/fake-cli.ts';
import { exitCodes } from './exit-codes.ts';

const fake = fakeCli();
const { useSettings, cli, write, at } = fake;

test('a status, an outcome, a state and a portal that only a newer service knows are shown as they are', async () => {
  useSettings();
  const page = { loaded: true, blank: false, consoleErrors: [], failedRequests: [], portals: ['newgames'] };
  fake.service.verdict = {
    status: 'quarantined',
    reason: 'Somebody looks at it.',
    report: { findings: [], page },
  };
  const { code, stdout } = await cli(['publish', 'game', '--live']);
  assert.equal(code, exitCodes.undecided);
  assert.match(stdout, /^quarantined: version 1 of a-game\n {2}Page .*\n {2}Somebody looks at it\.\n/u);
  assert.match(stdout, /\n {2}The SDK of newgames that it loads is answered by the service\.\n$/u);

  write('game/service.json', JSON.stringify({ space: 'a-game' }));
  fake.service.intercept = (_method, path) => {
    if (path.endsWith('/domain')) return ok({ host: 'games.example', state: 'paused', records: [] });
    if (!path.includes('/versions/')) return null;
    const review = { requestedAt: '2026', decidedAt: '2027', outcome: 'appealed' };
    return ok({ number: 1, status: 'quarantined', pageUrl: 'http://x.test/', review });
  };
  assert.match((await cli(['domain', 'show'], { cwd: at('game') })).stdout, /^games\.example: paused\./u);
  assert.match((await cli(['status', '1'], { cwd: at('game') })).stdout, /Review {3}appealed 2027/u);
});

test('a tool hands on what only a newer service answers, and its schema lets it', async () => {
  const read = { number: 1, status: 'quarantined', pageUrl: 'http://x.test/', report: { findings: [] } };
  const host = { call: async () => read } as never;
  const call = { name: 'status', arguments: { version: 'ver_1' } };
  const { structuredContent } = await callTool(tools, call, host);
  assert.equal(structuredContent.next, 'Its status is quarantined: http://x.test/ tells more.');
  for (const { name, inputSchema, outputSchema } of describeTools(tools)) {
    assert.equal(inputSchema.additionalProperties, false, name);
    assert.doesNotMatch(JSON.stringify(outputSchema), /"additionalProperties"|"enum"/u, name);
  }
});
