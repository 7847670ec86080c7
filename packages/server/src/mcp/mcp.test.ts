import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { page } from '../../test/files.ts';
import { connectMcp } from '../../test/mcp-client.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

const accept = { accept: 'application/json, text/event-stream' };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const callOf = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('/mcp', () => {
  let service: TestService;
  let ada: Persona;
  before(async () => {
    service = await startService({ environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '100' } });
    ada = await service.creator('ada');
  });
  after(() => service.close());

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    service.anonymous.call('POST', '/mcp', body, { ...accept, ...headers });

  it('lists few tools, with schemas of input and output and with hints', async () => {
    await using anybody = await connectMcp(service.baseUrl);
    const { tools } = await anybody.client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['publish', 'status', 'versions', 'rollback', 'spaces', 'boards', 'moderate', 'docs'],
    );
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      assert.ok(description && description.length < 400, name);
      assert.equal(inputSchema.additionalProperties, false, name);
      assert.ok(Object.hasOwn(outputSchema?.properties ?? {}, 'next'), name);
      assert.equal(typeof annotations?.readOnlyHint, 'boolean', name);
    }
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    assert.deepEqual(readOnly, ['status', 'versions', 'spaces', 'docs']);
    assert.match(anybody.client.getInstructions() ?? '', /^Publishes and hosts web games/u);
  });

  it('accepts only POST, because it has no session to listen to or to end', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await service.anonymous.call(method, '/mcp', undefined, accept);
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST'], method);
    }
  });

  it('asks for a sign-in, as RFC 9728 says, when a tool needs an account', async () => {
    const wrong = await post(list, { authorization: 'Bearer sp_token_wrong' });
    assert.equal(wrong.status, 401);
    const challenge = String(wrong.headers['www-authenticate']);
    assert.ok(
      challenge.startsWith(
        `Bearer resource_metadata="${service.baseUrl}/.well-known/oauth-protected-resource/mcp"`,
      ),
    );
    assert.match(challenge, /error="invalid_token"/u);
    const index = { path: 'index.html', text: page };
    for (const [name, args, scope] of [
      ['spaces', {}, 'publish'],
      ['boards', { space: 'x' }, 'boards'],
      ['moderate', { space: 'x', action: 'bans' }, 'moderate'],
      ['publish', { files: [index], live: true }, 'publish'],
    ] as const) {
      const answer = await post(callOf(name, args));
      assert.equal(answer.status, 401, name);
      const asked = String(answer.headers['www-authenticate']);
      assert.match(asked, new RegExp(`scope="${scope}"$`, 'u'), name);
      assert.match(answer.json().next, /\/settings/u);
    }
    assert.equal((await post(callOf('docs', {}))).status, 200);
  });

  it('explains what is wrong with a call, so that the call can be corrected', async () => {
    await using agent = await connectMcp(service.baseUrl, { persona: ada });
    const index = { path: 'index.html', text: page };
    const { space } = await agent.call('publish', { files: [index], title: 'Told', wait: 0 });
    const wrong: [string, object, string, RegExp][] = [
      ['publishh', {}, 'not_found', /The tools are publish, /u],
      ['publish', {}, 'invalid', /publish takes files, .* for example/u],
      ['publish', { files: [{ path: 'index.html' }] }, 'invalid', /for example/u],
      ['publish', { files: [index], device: 'desktop' }, 'invalid', /publish takes/u],
      ['publish', { files: [{ path: 'a.js', text: '1' }], wait: 0 }, 'no_entry', /index\.html at its top/u],
      ['publish', { files: [{ path: '../x.html', text: '1' }], wait: 0 }, 'invalid_files', /Fix/u],
      ['publish', { files: [{ path: '', text: '1' }], wait: 0 }, 'invalid_files', /./u],
      ['publish', { files: [index], claim: 'nonsense', wait: 0 }, 'claim_not_found', /without claim/u],
      ['status', {}, 'invalid', /versionId/u],
      ['status', { version: 'ver_none' }, 'not_found', /^versions lists/u],
      ['versions', { space: 'no-such-space' }, 'not_found', /^spaces lists/u],
      ['publish', { files: [index], space: 'no-such-space', wait: 0 }, 'not_found', /^spaces lists/u],
      ['rollback', { space: 'no-such-space', number: 0 }, 'invalid', /for example/u],
      ['boards', { space: 'no-such-space' }, 'not_found', /^spaces lists/u],
      ['rollback', { space, number: 9 }, 'not_found', /^versions lists/u],
      ['boards', { space, action: 'delete', key: 'none' }, 'not_found', /^boards lists/u],
      ['moderate', { space, action: 'delete_score', submission: 9 }, 'not_found', /"entries" lists/u],
      ['moderate', { space, action: 'delete_content', id: 'none' }, 'not_found', /"content" lists/u],
      ['boards', { space: 'x', action: 'set' }, 'invalid', /with key/u],
      ['moderate', { space: 'x', action: 'ban' }, 'invalid', /with player/u],
      ['moderate', { space: 'x', action: 'delete_content' }, 'invalid', /with id; action: "content"/u],
      ['moderate', { space: 'x' }, 'invalid', /for example/u],
    ];
    for (const [tool, args, code, next] of wrong) {
      const error = await agent.refused(tool, { ...args });
      assert.equal(error.code, code, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(error)}`);
      assert.match(error.next, next, tool);
      // One mark at its end, also after «did you mean …?».
      assert.match(error.message, /[^.?][.?]$/u);
    }
  });

  it('answers an invalid request with an error of the protocol', async () => {
    const text = await service.anonymous.call('POST', '/mcp', '{"jsonrpc":', accept);
    assert.deepEqual([text.status, text.json().error.code], [400, -32_700]);
    const several = await post([list, list]);
    assert.deepEqual([several.status, several.json().error.code], [400, -32_600]);
    const listen = await post({ jsonrpc: '2.0', id: 3, method: 'subscriptions/listen', params: {} });
    assert.deepEqual([listen.status, listen.json().error.code, listen.json().id], [404, -32_601, 3]);
    const odd = await post(callOf('publish', { files: [{ path: 'index.html', text: 'a\u0000' }] }));
    assert.equal(odd.status, 400);
    assert.match(odd.json().error.message, /files\.0\.text/u);
  });

  it('accepts bodies of megabytes, and refuses longer ones before it reads them', async () => {
    await using anybody = await connectMcp(service.baseUrl);
    const large = Buffer.alloc(3 * 1024 * 1024, 'x').toString('base64');
    const files = [
      { path: 'index.html', text: page },
      { path: 'large.bin', base64: large },
    ];
    const made = await anybody.call('publish', { files, wait: 0 });
    assert.equal((await service.get(`${made.previewUrl}large.bin`)).body.length, 3 * 1024 * 1024);
    const over = await post('{}', { 'content-length': String(9 * 1024 * 1024) });
    assert.deepEqual([over.status, over.json().error], [413, 'too_large']);
  });
});
