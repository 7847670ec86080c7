import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

/** Many people report what is wrong, and many what is not; one decision has to be enough for all of them. */
describe('many reports', () => {
  let service: TestService;
  let operator: Persona;
  before(async () => {
    service = await startService({ environment: { REPORTS_PER_HOUR: '1000' } });
    operator = await service.creator('ops', { operator: true });
  });
  after(() => service.close());

  async function reported(creator: Persona, times: number): Promise<string> {
    const { slug } = (await publishLive(service, creator)).space;
    for (let time = 0; time < times; time++) {
      const answer = await service.anonymous.call('POST', `/api/gallery/${slug}/report`, { reason: 'spam' });
      assert.equal(answer.status, 202, answer.text());
    }
    return slug;
  }
  interface Listed {
    readonly id: string;
    readonly state: string;
    readonly note: string | null;
    readonly space: { readonly slug: string; readonly state: string };
  }
  const reports = async (...slugs: string[]): Promise<Listed[]> => {
    const answer = await operator.call('GET', '/api/operator/reports?limit=100');
    return answer.json().reports.filter(({ space }: Listed) => slugs.includes(space.slug));
  };
  const states = async (...slugs: string[]) =>
    (await reports(...slugs)).map(({ state, note, space }) => [state, note, space.state]);
  const decide = (id: string, action: string) =>
    operator.call('POST', `/api/operator/reports/${id}`, { action, note: `noted: ${action}` });

  it('of one space are dismissed together, and those of another stay', async () => {
    const creator = await service.creator();
    const slug = await reported(creator, 3);
    const other = await reported(creator, 1);
    const ids = (await reports(slug)).map(({ id }) => id);
    // Two operators at the same moment.
    const answers = await Promise.all(ids.slice(0, 2).map((id) => decide(id, 'dismiss_all')));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const dismissed = ['dismissed', 'noted: dismiss_all', 'listed'];
    assert.deepEqual(await states(slug), [dismissed, dismissed, dismissed]);
    assert.deepEqual(await states(other), [['open', null, 'listed']]);
  });

  it('of a spammer’s spaces are resolved by one ban, from any of them', async () => {
    const spammer = await service.creator();
    const spaces = [await reported(spammer, 2), await reported(spammer, 1), await reported(spammer, 1)];
    const bystander = await reported(await service.creator(), 1);
    const [first] = await reports(String(spaces[1]));
    const answer = await decide(String(first?.id), 'ban');
    assert.equal(answer.status, 200, answer.text());
    assert.deepEqual([answer.json().state, answer.json().space.state], ['resolved', 'hidden']);
    const resolved = ['resolved', 'noted: ban', 'hidden'];
    assert.deepEqual(await states(...spaces), [resolved, resolved, resolved, resolved]);
    assert.deepEqual(await states(bystander), [['open', null, 'listed']]);
    const [account] = (await operator.call('GET', `/api/operator/accounts?q=${spammer.handle}`)).json()
      .accounts;
    assert.notEqual(account.banned_at, null);
    assert.deepEqual(codeOf(await decide(String(first?.id), 'ban')), [409, 'conflict']);
  });

  it('are resolved by a ban in the list of accounts, too', async () => {
    const spammer = await service.creator();
    const slug = await reported(spammer, 2);
    const path = `/api/operator/accounts/${spammer.handle}/ban`;
    const answer = await operator.call('POST', path, { reason: 'Spam everywhere.' });
    assert.equal(answer.status, 200, answer.text());
    const resolved = ['resolved', 'Spam everywhere.', 'hidden'];
    assert.deepEqual(await states(slug), [resolved, resolved]);
  });

  it('of an operator’s own space cannot ban that operator', async () => {
    const slug = await reported(operator, 1);
    const [own] = await reports(slug);
    assert.deepEqual(codeOf(await decide(String(own?.id), 'ban')), [422, 'invalid']);
    assert.deepEqual(await states(slug), [['open', null, 'listed']]);
  });
});
