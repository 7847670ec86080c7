import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive, smallGame } from '../../test/files.ts';
import { browser } from '../../test/owning-player.ts';
import { nobodyPlayer } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { mailsTo } from '../../test/visitor.ts';
import { isWorthMail } from './error-mail-rules.ts';

describe('mail of new errors', () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      environment: { TRUST_PROXY: 'true', PUBLISHES_PER_HOUR: '1000', CHECKS_PER_HOUR: '1000' },
    });
  });
  after(() => service.close());

  let network = 0;
  /** Loads the space from a new network and reports an error. */
  async function fail(space: string, message: string, version = 1): Promise<void> {
    const headers = {
      ...browser,
      'x-forwarded-for': `198.51.${Math.floor(++network / 250)}.${network % 250}`,
    };
    const who = nobodyPlayer(service);
    const opened = await who.call('POST', '/api/player/sessions', { space, version }, headers);
    const told = await who.post('errors', { session: opened.json().session, errors: [{ message }] }, headers);
    assert.equal(told.status, 202, told.text());
  }
  async function failTimes(times: number, owner: Persona, space: string, message: string, version = 1) {
    for (let load = 0; load < times; load++) {
      await fail(space, message, version);
      // A read writes the gathered reports.
      await owner.call('GET', `/api/spaces/${space}/errors`);
    }
  }
  const mails = (owner: Persona) => mailsTo(service, `${owner.handle}@example.org`);
  const fresh = async () => {
    const owner = await service.creator();
    return { owner, slug: (await publishLive(service, owner)).space.slug };
  };

  it('is sent when several loads have the error, and at most once a day', async () => {
    const { owner, slug } = await fresh();
    await failTimes(2, owner, slug, 'x is not a function');
    assert.deepEqual(await mails(owner), []);
    await failTimes(3, owner, slug, 'x is not a function');
    const [mail = '', ...more] = await mails(owner);
    assert.deepEqual(more, []);
    assert.match(mail, /Subject: A new error in version 1 of Moon Hopper/u);
    assert.match(mail, /x is not a function/u);
    assert.match(
      mail,
      new RegExp(`/dashboard/${slug}\\?section=3Dhealth|/dashboard/${slug}\\?section=health`, 'u'),
    );
    await failTimes(4, owner, slug, 'another one');
    assert.equal((await mails(owner)).length, 1, 'the next waits for a day');
    service.clock.advance({ days: 1 });
    const [, second = '', ...further] = await mails(owner);
    assert.deepEqual(further, []);
    assert.match(second, /another one/u);
    assert.doesNotMatch(second, /x is not a function/u);
  });

  it('is not sent for errors of earlier versions or for versions that are not new', async () => {
    const { owner, slug } = await fresh();
    await failTimes(1, owner, slug, 'an old friend');
    await publishLive(service, owner, smallGame, { space: slug });
    await failTimes(5, owner, slug, 'an old friend', 2);
    assert.deepEqual(await mails(owner), []);
    service.clock.advance({ days: 8 });
    await failTimes(5, owner, slug, 'late', 2);
    assert.deepEqual(await mails(owner), []);
  });

  it('can be switched off, and contains no link from an error message', async () => {
    const { owner, slug } = await fresh();
    const path = `/api/spaces/${slug}/error-mails`;
    assert.deepEqual((await owner.call('GET', path)).json(), { on: true });
    assert.deepEqual((await owner.call('PUT', path, { on: false })).json(), { on: false });
    await failTimes(5, owner, slug, 'Sign in at https://evil.example/now to go on');
    assert.deepEqual(await mails(owner), []);
    await owner.call('PUT', path, { on: true });
    await failTimes(1, owner, slug, 'Sign in at https://evil.example/now to go on');
    const [mail = ''] = await mails(owner);
    assert.match(mail, /Sign in at \(address\) to go on/u);
    assert.doesNotMatch(mail, /evil/u);
    const stranger = await service.creator();
    assert.deepEqual(codeOf(await stranger.call('GET', path)), [404, 'not_found']);
    assert.deepEqual(codeOf(await stranger.call('PUT', path, { on: false })), [404, 'not_found']);
  });

  it('needs five loads, or three that are one in twenty', () => {
    assert.deepEqual(
      [
        [2, 2],
        [3, 3],
        [3, 60],
        [3, 61],
        [5, 100_000],
      ].map(([sessions = 0, all = 0]) => isWorthMail(sessions, all)),
      [false, true, true, false, true],
    );
  });
});
