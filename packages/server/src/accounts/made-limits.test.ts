import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishFiles, smallGame } from '../../test/files.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';

const anHour = 60;

describe('what an account makes, and what is kept', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** Makes as many as an hour allows, then one more, and one an hour later. */
  async function requireLimited(make: () => Promise<RawAnswer>, usual: number): Promise<void> {
    for (let made = 0; made < anHour - 2; made++) assert.equal((await make()).status, usual);
    const last = await Promise.all(Array.from({ length: 5 }, make));
    assert.equal(last.filter(({ status }) => status === usual).length, 2);
    const refused = last.find(({ status }) => status !== usual);
    assert.ok(refused);
    assert.equal(refused.status, 429, refused.text());
    assert.ok(Number(refused.headers['retry-after']) > 3_000);
    service.clock.advance({ hours: 1 });
    assert.equal((await make()).status, usual);
  }

  it('has a limit of tokens made by hand', async () => {
    const ada = await signUp(service, { handle: 'ada' });
    const wish = { name: 'A build server', scopes: ['publish'] };
    await requireLimited(() => ada.call('POST', '/api/account/tokens', wish), 201);
  });

  it('has a limit of preview links, over all its versions', async () => {
    const creator = await service.creator();
    const [one, other] = [await publishFiles(creator, smallGame), await publishFiles(creator, smallGame)];
    let turn = 0;
    const make = () => {
      const { version } = turn++ % 2 === 0 ? one : other;
      return creator.call('POST', `/api/v1/hosting/versions/${version.id}/preview`);
    };
    await requireLimited(make, 200);
  });
});
