import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makers } from '../../test/content.ts';
import { page, publishLive, smallGame } from '../../test/files.ts';
import { connectMcp, type Era } from '../../test/mcp-client.ts';
import { accountPlayer } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { createTokens } from '../accounts/tokens.ts';
import '../../test/one-engine.ts';

const files = [
  { path: 'index.html', text: page },
  { path: 'game.js', base64: Buffer.from(String(smallGame['game.js'])).toString('base64') },
];

describe('the tools of /mcp', () => {
  let service: TestService;
  let ada: Persona;
  before(async () => {
    service = await startService({
      environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '100', PUBLISHES_PER_HOUR: '100' },
    });
    ada = await service.creator('ada');
  });
  after(() => service.close());

  for (const era of ['modern', 'legacy'] satisfies Era[]) {
    it(`publish a page without a token, and again by its claim (${era})`, async () => {
      await using anybody = await connectMcp(service.baseUrl, { era });
      const made = await anybody.call('publish', {
        files,
        title: 'Moon Hopper',
        devices: ['desktop'],
        tags: ['puzzle'],
        wait: 0,
      });
      assert.equal(made.status, 'preview');
      assert.deepEqual(made.added.sort(), ['game.js', 'index.html']);
      assert.match(made.next, /call status/u);
      assert.ok((await service.get(made.previewUrl)).text().includes('<canvas>'));
      assert.equal((await service.get(made.pageUrl)).status, 200);
      await service.settle();

      const { versionId, claimToken, claimUrl } = made;
      const read = await anybody.call('status', { version: versionId, claim: claimToken });
      assert.equal(read.checked, true);
      assert.ok(Array.isArray(read.findings));

      const changed = [{ path: 'index.html', text: `${page}<p>` }, files[1]];
      const again = await anybody.call('publish', { files: changed, claim: claimToken, wait: 0 });
      assert.deepEqual([again.space, again.number, again.changed], [made.space, 2, ['index.html']]);
      assert.ok(claimUrl.endsWith(`#${claimToken}`));
    });

    it(`publish, go live, roll back and list, with a token (${era})`, async () => {
      await using agent = await connectMcp(service.baseUrl, { era, persona: ada });
      const first = await agent.call('publish', { files, title: `Hopper ${era}`, live: true, wait: 0 });
      assert.equal(first.status, 'checking');
      await service.settle();
      const live = await agent.call('status', { space: first.space });
      assert.equal(live.status, 'live');
      assert.ok(live.next.includes(live.pageUrl));

      const changed = [{ path: 'index.html', text: `${page}<p>second` }, files[1]];
      await agent.call('publish', { files: changed, space: first.space, live: true, wait: 0 });
      await service.settle();
      const { versions, next } = await agent.call('versions', { space: first.space });
      assert.deepEqual(
        versions.map(({ number, live: isLive }: { number: number; live: boolean }) => [number, isLive]),
        [
          [2, true],
          [1, false],
        ],
      );
      assert.match(next, /rollback takes one of these numbers: 1\./u);
      const back = await agent.call('rollback', { space: first.space, number: 1 });
      assert.equal(back.status, 'live');
      const { spaces } = await agent.call('spaces');
      const own = spaces.find(({ slug }: { slug: string }) => slug === first.space);
      assert.equal(own.live_version, 1);
      assert.ok(!(await service.get(own.url)).text().includes('second'));
    });
  }

  it('set up, read and delete a board, and moderate its scores', async () => {
    await using agent = await connectMcp(service.baseUrl, { persona: ada });
    const { space } = await publishLive(service, ada);
    const { slug } = space;
    assert.deepEqual((await agent.call('boards', { space: slug })).boards, []);
    const set = await agent.call('boards', { space: slug, action: 'set', key: 'high', title: 'High score' });
    assert.deepEqual(
      set.boards.map(({ key, title }: { key: string; title: string }) => [key, title]),
      [['high', 'High score']],
    );
    const { secret } = await ada.client.issueSecret({ params: { slug } });
    const grace = await service.creator();
    const posted = await service.anonymous.call(
      'POST',
      '/api/v1/scores',
      { board: 'high', player: grace.handle, score: 42 },
      { authorization: `Bearer ${secret}` },
    );
    assert.equal(posted.status, 201, posted.text());
    const ranking = await agent.call('boards', { space: slug, action: 'entries', key: 'high' });
    assert.deepEqual(
      [ranking.total, ranking.entries[0].handle, ranking.entries[0].score],
      [1, grace.handle, 42],
    );

    const filter = { space: slug, action: 'delete_scores', player: grace.handle };
    assert.equal((await agent.call('moderate', { ...filter, dry_run: true })).would_delete, 1);
    const { submission } = ranking.entries[0];
    const gone = await agent.call('moderate', { space: slug, action: 'delete_score', submission });
    assert.equal(gone.deleted, 1);
    assert.equal((await agent.call('moderate', filter)).deleted, 0);
    await agent.call('moderate', { space: slug, action: 'ban', player: grace.handle });
    const { bans } = await agent.call('moderate', { space: slug, action: 'bans' });
    assert.equal(bans[0].handle, grace.handle);
    assert.equal(
      (await agent.call('moderate', { space: slug, action: 'unban', player: grace.handle })).banned,
      false,
    );
    assert.equal(
      (await agent.call('boards', { space: slug, action: 'delete', key: 'high' })).deleted,
      'high',
    );
    assert.deepEqual((await agent.call('boards', { space: slug })).boards, []);
  });

  it('show content that players made in a space, and delete it', async () => {
    await using agent = await connectMcp(service.baseUrl, { persona: ada });
    const { slug } = (await publishLive(service, ada)).space;
    const { published, report } = makers(() => slug);
    const maker = await accountPlayer(service, 'makes_things');
    const made = await published(maker, { title: 'Two craters', data: { rocks: [1] } });
    await published(maker, { kind: 'ghost', data: 1 });
    await report(maker, made.id);
    const asked = { space: slug, action: 'content' };
    const all = await agent.call('moderate', asked);
    assert.deepEqual([all.items.length, all.cursor], [2, null]);
    for (const some of [{ kind: 'level' }, { reported: true }]) {
      const { items } = await agent.call('moderate', { ...asked, ...some });
      assert.deepEqual(
        items.map(({ id }: { id: string }) => id),
        [made.id],
      );
    }
    const one = { space: slug, action: 'content_item', id: made.id };
    assert.deepEqual((await agent.call('moderate', one)).item.data, { rocks: [1] });
    const gone = { ...one, action: 'delete_content' };
    assert.equal((await agent.call('moderate', gone)).deleted, 1);
    assert.equal((await agent.refused('moderate', gone)).code, 'not_found');
  });

  it('read the documentation, from the page that leads to the others', async () => {
    await using anybody = await connectMcp(service.baseUrl);
    const start = await anybody.call('docs');
    assert.equal(start.markdown, (await service.get(`${service.baseUrl}/llms.txt`)).text());
    assert.equal((await anybody.call('docs', { path: `${service.baseUrl}/llms.txt` })).path, '/llms.txt');
    const addon = '/examples/engines/godot/addons/spaceport/spaceport.gd';
    assert.match(
      (await anybody.call('docs', { path: '/docs/engines/godot.md' })).next,
      new RegExp(addon, 'u'),
    );
    assert.match((await anybody.call('docs', { path: addon })).markdown, /^extends Node$/mu);
    for (const path of ['/docs/none.md', '/examples/none.md', '/api/spaces', '../llms.txt', '/healthz'])
      assert.equal((await anybody.refused('docs', { path })).code, 'not_found', path);
  });

  it('let a token do what its scopes and its space allow, and no more', async () => {
    const { space } = await publishLive(service, ada);
    const { platform } = service.service;
    const creator = await platform.database.db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'ada')
      .executeTakeFirstOrThrow();
    const tokens = createTokens(platform);
    const issued = await tokens.issue(creator.id, { name: 'boards only', scopes: ['boards'] });
    tokens.close();
    await using narrow = await connectMcp(service.baseUrl, { persona: issued });
    assert.deepEqual((await narrow.call('boards', { space: space.slug })).boards, []);
    for (const [tool, args, scope] of [
      ['publish', { files, wait: 0 }, 'publish'],
      ['status', { space: space.slug }, 'publish'],
      ['versions', { space: space.slug }, 'publish'],
      ['rollback', { space: space.slug, number: 1 }, 'publish'],
      ['spaces', {}, 'publish'],
      ['moderate', { space: space.slug, action: 'bans' }, 'moderate'],
    ] as const) {
      const error = await narrow.refused(tool, args);
      assert.deepEqual([error.code, error.scope], ['forbidden', scope], tool);
      assert.ok(error.next.includes(`«${scope}»`));
    }

    await using stranger = await connectMcp(service.baseUrl, { persona: await service.creator() });
    const foreign = await stranger.refused('publish', { files, space: space.slug, wait: 0 });
    assert.equal(foreign.code, 'not_owner');
    assert.match(foreign.next, /spaces lists your spaces/u);
  });
});
