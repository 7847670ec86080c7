import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { asToolRefusal } from '@spaceport/contract/mcp/next-steps';
import { zipOf } from '../../test/archives.ts';
import { fileEntries } from '../../test/files.ts';
import { connectMcp } from '../../test/mcp-client.ts';
import { startService, type TestService } from '../../test/service.ts';
import { fields } from '../../test/without-account.ts';

const path = '/api/v1/hosting/versions';
const body = { fields, files: fileEntries({ 'index.html': 'x' }) };

describe('publishing without an account, with a limit of 0', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '0' } });
  });
  after(() => service.close());

  it('is refused with how to sign in, and not until later', async () => {
    const query = new URLSearchParams({ title: 'x', type: 'game', devices: 'desktop' });
    const headers = { 'content-type': 'application/zip' };
    const zip = zipOf({ 'index.html': 'x' });
    for (const refused of [
      await service.anonymous.call('POST', path, body),
      await service.anonymous.call('POST', path, { ...body, dryRun: true }),
      await service.get(`${service.baseUrl}/api/v1/hosting/publish?${query}`, {
        method: 'POST',
        headers,
        body: zip,
      }),
    ]) {
      assert.equal(refused.status, 403, refused.text());
      assert.equal(refused.json().code, 'sign_in_required');
      assert.match(refused.json().next, /agent\/login starts a sign-in/u);
    }
    const creator = await service.creator();
    assert.equal((await creator.call('POST', path, body)).status, 201);
  });

  it('is not told by the guides, which say that an account is needed', async () => {
    for (const path of ['/llms.txt', '/skill.md', '/docs/publish.md']) {
      const text = (await service.get(service.baseUrl + path)).text();
      assert.match(text, /\n\nPublishing here needs an account: .*\n\n## /u, path);
      assert.doesNotMatch(
        text,
        / --anonymous|no account|needs no token|(?:for|after) a week|\| nobody/u,
        path,
      );
      assert.ok(Buffer.byteLength(text) < (path === '/llms.txt' ? 4_096 : 8_192), path);
    }
  });

  it('is refused by /mcp with what makes clients sign in, and by the tools with how to connect', async () => {
    await using anybody = await connectMcp(service.baseUrl);
    assert.match(anybody.client.getInstructions() ?? '', /Publishing needs a token/u);
    assert.doesNotMatch(anybody.client.getInstructions() ?? '', /No token/u);
    const { message } = (await service.anonymous.call('POST', path, body)).json();
    const call = { name: 'publish', arguments: { files: [{ path: 'index.html', text: 'x' }] } };
    const refused = await service.get(`${service.baseUrl}/mcp`, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    assert.equal(refused.status, 401, refused.text());
    assert.match(String(refused.headers['www-authenticate']), /resource_metadata=.* scope="publish"/u);
    const { next } = asToolRefusal({ code: 'sign_in_required', message }, service.baseUrl);
    assert.match(next ?? '', /^Connect with a token of the account\./u);
  });

  it('is not offered by the pages', async () => {
    for (const page of ['/', '/drop']) {
      const text = (await service.get(`${service.baseUrl}${page}`)).text();
      assert.match(text, /needs? an account/u);
      assert.doesNotMatch(text, /--anonymous|need no account|No account needed|Choose a zip/u);
    }
  });
});
