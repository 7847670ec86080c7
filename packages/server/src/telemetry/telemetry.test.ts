import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { browser, owningPlayer } from '../../test/owning-player.ts';
import { guestPlayer, nobodyPlayer, type PlayingVisitor } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('the play statistics of a space', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({
      environment: { PUBLISHES_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000', TELEMETRY_PER_MINUTE: '30' },
    });
    creator = await service.creator();
  });
  after(() => service.close());

  const read = async (slug: string, query = '', who: Pick<Persona, 'call'> = creator) =>
    (await who.call('GET', `/api/spaces/${slug}/telemetry${query}`)).json().versions;
  const open = async (who: PlayingVisitor, space: string, version: number | null = 1, more: object = {}) => {
    const answer = await who.call('POST', '/api/player/sessions', { space, version, ...more }, browser);
    assert.equal(answer.status, 200, answer.text());
    return answer.json().session as string;
  };
  const tell = (who: PlayingVisitor, session: string, report: object, headers = browser) =>
    who.post('plays', { session, part: 0, seconds: 0, ...report }, headers);
  const live = async () => (await publishLive(service, creator)).space.slug;

  it('count loads, play time and load time, by version', async () => {
    const slug = await live();
    assert.deepEqual(await read(slug), []);
    const [one, two] = [guestPlayer(service), nobodyPlayer(service)];
    const [first, second] = [await open(one, slug), await open(two, slug)];
    service.clock.advance({ minutes: 2 });
    const began = { ms: 1_200, bytes: 2_500_000 };
    const told = await tell(one, first, { began, seconds: 50 });
    assert.deepEqual([told.status, told.json()], [202, { counted: true }]);
    assert.deepEqual((await tell(one, first, { part: 1, seconds: 60 })).json(), { counted: true });
    await publishLive(service, creator, smallGame, { space: slug });
    await open(two, slug, 2);
    const [newer, older] = await read(slug);
    assert.deepEqual(
      [newer.version, newer.sessions, newer.never_played, newer.seconds, newer.ms_to_play, newer.errors],
      [2, 1, 1, 0, null, 0],
    );
    assert.deepEqual([older.version, older.sessions, older.never_played, older.seconds], [1, 2, 1, 110]);
    assert.ok(older.ms_to_play.median >= 1_000 && older.ms_to_play.median <= 1_500);
    assert.ok(older.bytes_to_play.p90 >= 2_000_000 && older.bytes_to_play.p90 <= 3_000_000);
    assert.equal((await tell(two, second, {})).json().counted, true);
  });

  it('count a report once, and no longer than the session was', async () => {
    const slug = await live();
    const who = guestPlayer(service);
    const session = await open(who, slug);
    const report = { began: { ms: 300, bytes: null }, seconds: 120 };
    assert.deepEqual((await tell(who, session, report)).json(), { counted: true });
    assert.deepEqual((await tell(who, session, report)).json(), { counted: false });
    for (let part = 1; part < 10; part++) await tell(who, session, { part, seconds: 120 });
    const [version] = await read(slug);
    assert.ok(version.seconds <= 125, String(version.seconds));
    assert.deepEqual([version.never_played, version.bytes_to_play], [0, null]);
  });

  it('count a load once when another player goes on with it', async () => {
    const slug = await live();
    await open(nobodyPlayer(service), slug);
    await open(guestPlayer(service), slug, 1, { again: true });
    assert.equal((await read(slug))[0].sessions, 1);
  });

  it('count neither the owner’s own loads nor robots', async () => {
    const { player, persona } = await owningPlayer(service);
    const { slug } = (await publishLive(service, persona)).space;
    const session = await open(player, slug);
    assert.deepEqual((await tell(player, session, { seconds: 9 })).json(), { counted: false });
    const robot = nobodyPlayer(service);
    const opened = await robot.open(slug);
    const told = await tell(robot, opened.json().session, { seconds: 9 });
    assert.deepEqual(told.json(), { counted: false });
    assert.deepEqual(await read(slug, '', persona), []);
    const plays = (await service.anonymous.call('GET', `/api/gallery/${slug}`)).json().plays;
    assert.equal(plays, 0, 'neither is a play');
    await open(nobodyPlayer(service), slug);
    assert.equal((await read(slug, '', persona))[0].sessions, 1);
  });

  it('keep previews separate, and delete them when the sandbox is reset', async () => {
    const slug = await live();
    const { previewUrl } = await publishFiles(creator, smallGame, { space: slug });
    const [label = ''] = new URL(previewUrl ?? '').hostname.split('.');
    await open(nobodyPlayer(service), label, 2);
    await open(nobodyPlayer(service), slug, 1);
    assert.deepEqual([(await read(slug))[0].version, (await read(slug, '?env=sandbox'))[0].version], [1, 2]);
    const reset = (body: object) => creator.call('POST', `/api/v1/hosting/spaces/${slug}/reset`, body);
    await reset({ categories: ['scores'] });
    assert.equal((await read(slug, '?env=sandbox')).length, 1);
    await reset({});
    assert.equal((await read(slug, '?env=sandbox')).length, 0);
    assert.equal((await read(slug)).length, 1);
  });

  it('are shown to the owner only', async () => {
    const slug = await live();
    const path = `/api/spaces/${slug}/telemetry`;
    assert.deepEqual(codeOf(await (await service.creator()).call('GET', path)), [404, 'not_found']);
    assert.deepEqual(codeOf(await service.anonymous.call('GET', path)), [401, 'unauthorized']);
  });

  it('refuse reports of another session, version or player, and above the rate limit', async () => {
    const slug = await live();
    const who = guestPlayer(service);
    const session = await open(who, slug);
    const [said = '', seal] = session.split('.');
    const other = { ...JSON.parse(Buffer.from(said, 'base64url').toString()), version: 7 };
    const forged = `${Buffer.from(JSON.stringify(other)).toString('base64url')}.${seal}`;
    for (const [player, of] of [
      [who, forged],
      [guestPlayer(service), session],
      [nobodyPlayer(service), session],
    ] as const)
      assert.deepEqual(codeOf(await tell(player, of, {})), [409, 'session_over']);
    for (const wrong of [{ seconds: 121 }, { part: -1 }, { began: { ms: 1.5, bytes: 1 } }, { version: 3 }])
      assert.deepEqual(codeOf(await tell(who, session, wrong)), [422, 'invalid'], JSON.stringify(wrong));
    const codes: number[] = [];
    // While time passes, one more is allowed every two seconds.
    await service.clock.standing(async () => {
      for (let part = 0; part < 40; part++) codes.push((await tell(who, session, { part })).status);
    });
    assert.deepEqual([codes[0], codes.at(-1)], [202, 429]);
  });

  it('are complete after the service shut down normally', async () => {
    const slug = await live();
    await open(nobodyPlayer(service), slug);
    await service.restart();
    const { db } = service.service.platform.database;
    const rows = await db
      .selectFrom('play_counts')
      .innerJoin('spaces', 'spaces.id', 'play_counts.space_id')
      .select(['play_counts.what', 'play_counts.count'])
      .where('spaces.slug', '=', slug)
      .execute();
    assert.deepEqual(
      rows.map(({ what, count }) => [what, count]),
      [['sessions', 1]],
      'nobody has read it before',
    );
  });

  it('are deleted with the space', async () => {
    const slug = await live();
    const who = guestPlayer(service);
    const session = await open(who, slug);
    await who.post('errors', { session, errors: [{ message: 'gone with it' }] }, browser);
    assert.equal((await read(slug)).length, 1);
    const { db } = service.service.platform.database;
    const groups = () =>
      db.selectFrom('error_groups').select('id').where('message', '=', 'gone with it').execute();
    assert.equal((await groups()).length, 1);
    assert.equal((await creator.call('DELETE', `/api/spaces/${slug}`)).status, 200);
    // A page that is still open reports an error after the space was deleted. Nobody gets a mail.
    await who.post('errors', { session, errors: [{ message: 'gone with it' }] }, browser);
    service.clock.advance({ days: 8 });
    await service.service.sweep();
    await who.post('errors', { session, errors: [{ message: 'gone with it' }] }, browser);
    await read(await live());
    assert.deepEqual(await groups(), []);
  });

  it('are deleted with the version, and after ninety days', async () => {
    const slug = await live();
    const { version } = await publishLive(service, creator, smallGame, { space: slug });
    await publishLive(service, creator, smallGame, { space: slug });
    for (const number of [1, 2, 3]) await open(nobodyPlayer(service), slug, number);
    const numbers = async () => (await read(slug)).map((one: { version: number }) => one.version);
    assert.deepEqual(await numbers(), [3, 2, 1]);
    assert.equal((await creator.call('DELETE', `/api/v1/hosting/versions/${version.id}`)).status, 200);
    assert.deepEqual(await numbers(), [3, 1]);
    service.clock.advance({ days: 91 });
    await service.service.sweep();
    const rows = await service.service.platform.database.db.selectFrom('play_counts').selectAll().execute();
    assert.deepEqual(rows, []);
  });
});
