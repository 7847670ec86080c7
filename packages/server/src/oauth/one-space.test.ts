import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileEntries, listing, smallGame } from '../../test/files.ts';
import { letIn, oauthCalls } from '../../test/oauth.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

describe('a program that is limited to one space', () => {
  let service: TestService;
  let ops: SignedUp;
  let ada: SignedUp;
  let slug: string;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ops = await signUp(service, { handle: 'ops' });
    ada = await signUp(service, { handle: 'ada' });
    slug = await newSpace('Moon <Hopper>');
  });
  after(() => service.close());

  const { newClient, begin, exchange } = oauthCalls(() => service);
  const approval = { decision: 'approve', scope_publish: 'on' };
  const by = (token: string, path: string) =>
    service.anonymous.call('GET', path, undefined, { authorization: `Bearer ${token}` });

  async function newSpace(title: string): Promise<string> {
    const created = { fields: { ...listing, title }, files: fileEntries(smallGame) };
    const answer = await ada.call('POST', '/api/v1/hosting/versions', created);
    assert.equal(answer.status, 201, answer.text());
    return answer.json().space.slug;
  }

  it('is offered all spaces first, and then each of the person’s own', async () => {
    const { path } = begin(await newClient());
    const shown = (await ada.get(path)).text();
    assert.match(shown, /<select[^>]* name="space"[^>]*><option value[^>]*>all your spaces<\/option>/u);
    assert.ok(shown.includes(`<option value="${slug}">Moon &lt;Hopper> (${slug}) alone</option>`), shown);
    // A person without spaces has nothing to choose.
    const none = (await ops.get(path)).text();
    assert.ok(!none.includes('name="space"') && none.includes('on all your spaces'));
  });

  it('gets a token for the chosen space, and the settings show that', async () => {
    const other = await newSpace('Sun Hopper');
    const { path, fields } = begin(await newClient('Moon Editor'));
    const back = await letIn(ada, path, ['publish', 'boards'], slug);
    const granted = (await exchange(fields(back.searchParams.get('code') ?? ''))).json();
    assert.deepEqual([granted.scope, granted.space], ['publish boards', slug]);
    const { token } = (await by(granted.access_token, '/api/agent/me')).json();
    assert.deepEqual([token.client_name, token.space], ['Moon Editor', slug]);
    assert.equal((await by(granted.access_token, `/api/spaces/${slug}`)).status, 200);
    const refused = await by(granted.access_token, `/api/spaces/${other}`);
    assert.deepEqual([refused.status, refused.json().space], [403, slug]);
    assert.match(
      (await ada.get('/settings')).text(),
      new RegExp(`Moon Editor[\\s\\S]{0,200}${slug} alone`, 'u'),
    );
  });

  it('gets all spaces when the person leaves the choice unchanged', async () => {
    const { path, fields } = begin(await newClient());
    const back = await letIn(ada, path, ['publish'], '');
    const granted = (await exchange(fields(back.searchParams.get('code') ?? ''))).json();
    assert.equal(granted.space, undefined);
    assert.equal((await by(granted.access_token, '/api/agent/me')).json().token.space, null);
  });

  it('keeps the chosen space when the form is shown again', async () => {
    const { path } = begin(await newClient());
    const again = await ada.post(path, { decision: 'approve', space: slug });
    assert.equal(again.status, 422);
    assert.match(again.text(), new RegExp(`<option value="${slug}" selected`, 'u'));
  });

  it('gets no token for a space of somebody else', async () => {
    const { path } = begin(await newClient());
    for (const [who, space] of [
      [ada, 'nowhere'],
      [ops, slug],
    ] as const) {
      const answer = await who.post(path, { ...approval, space });
      // The form is shown again: whoever has many spaces types the name of one.
      assert.deepEqual([answer.status, answer.headers.location], [422, undefined]);
    }
  });

  it('cannot get the operate scope', async () => {
    const { path } = begin(await newClient(), { scope: 'publish operate' });
    const refused = await ada.post(path, { ...approval, scope_operate: 'on', space: slug });
    assert.equal(refused.status, 422);
    assert.match(refused.text(), /needs all your spaces/u);
  });

  it('gets no token when the space is gone', async () => {
    const gone = await newSpace('Gone');
    const { path, fields } = begin(await newClient());
    const code = (await letIn(ada, path, ['publish'], gone)).searchParams.get('code') ?? '';
    assert.equal((await ada.call('DELETE', `/api/spaces/${gone}`)).status, 200);
    const answer = await exchange(fields(code));
    assert.deepEqual([answer.status, answer.json().error], [400, 'invalid_grant']);
  });
});
