import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { zipOf } from '../../test/archives.ts';
import { fileEntries, publishLive, putFile } from '../../test/files.ts';
import { as, oneCalls } from '../../test/one-call.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import { files, withoutAccount } from '../../test/without-account.ts';

const path = '/api/v1/hosting/versions';

describe('claiming a page that was published without an account', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '1000' } });
  });
  after(() => service.close());

  const { anonymous, published, withClaim } = withoutAccount(() => service);

  const claimWith = (creator: Persona, claim: string, mark = 'claimed') =>
    creator.call('POST', path, { files: fileEntries(files(mark)), claim });

  it('gives the account the space, its versions and its uploads', async () => {
    const page = await published('mine soon');
    const creator = await service.creator();
    const answer = await claimWith(creator, page.claim, 'mine soon');
    assert.equal(answer.status, 201, answer.text());
    const { space, version, uploads, claimToken, expiresAt } = answer.json();
    assert.match(space.slug, /^moon-hopper/u);
    assert.deepEqual([version.number, uploads, claimToken, expiresAt], [2, [], undefined, undefined]);
    const finish = await creator.call('POST', `${path}/${version.id}/finish`, { preview: false });
    assert.equal(finish.status, 200, finish.text());
    await service.settle();
    assert.match((await service.get(space.url)).text(), /mine soon/u);
    const { versions } = await creator.client.listVersions({ params: { slug: space.slug } });
    assert.deepEqual(
      versions.map(({ number, status }) => [number, status]),
      [
        [2, 'live'],
        [1, 'preview'],
      ],
    );
    assert.equal((await service.get(page.space.url)).status, 410);
  });

  it('works by finishing a version with a token too', async () => {
    const page = await published('finish claims');
    const created = (
      await anonymous.call('POST', path, { files: fileEntries(files('finish claims')), claim: page.claim })
    ).json();
    const creator = await service.creator();
    const answer = await creator.call('POST', `${path}/${created.version.id}/finish`, {
      preview: false,
      claim: page.claim,
    });
    assert.equal(answer.status, 200, answer.text());
    await service.settle();
    assert.equal((await creator.client.readVersion({ params: { id: created.version.id } })).status, 'live');
  });

  it('refuses a create that names another space, and claims nothing', async () => {
    const page = await published();
    const creator = await service.creator();
    const { space } = await publishLive(service, creator);
    const body = { files: fileEntries(files('elsewhere')), claim: page.claim };
    const { send } = oneCalls(() => service);
    for (const slug of [space.slug, 'nowhere'])
      for (const refused of [
        await creator.call('POST', path, { ...body, space: slug }),
        await creator.call('POST', path, { ...body, space: slug, dryRun: true }),
        await send(
          zipOf(files('elsewhere')),
          { space: slug },
          as(creator, { 'x-service-claim': page.claim }),
        ),
      ])
        assert.deepEqual([refused.status, refused.json().code], [403, 'not_owner'], refused.text());
    assert.equal((await withClaim('GET', '/api/v1/hosting/claim', page.claim)).status, 200, 'not claimed');
    // The second create is sent with the slug from before the claim.
    for (const number of [2, 3]) {
      const created = await creator.call('POST', path, { ...body, space: page.space.slug });
      assert.deepEqual([created.status, created.json().version?.number], [201, number], created.text());
    }
  });

  it('is not done by asking for upload links, which an account gets all the same', async () => {
    const page = await published();
    const created = (
      await anonymous.call('POST', path, { files: fileEntries(files('resumed')), claim: page.claim })
    ).json();
    const nameless = await service.creator();
    const { db } = service.service.platform.database;
    await db.updateTable('creators').set({ handle: null }).where('handle', '=', nameless.handle).execute();
    const sent = { 'x-service-claim': page.claim };
    for (const creator of [await service.creator(), nameless]) {
      const fresh = await creator.call('POST', `${path}/${created.version.id}/uploads`, undefined, sent);
      assert.deepEqual([fresh.status, fresh.json().uploads?.length], [200, 1], fresh.text());
    }
    assert.equal((await withClaim('GET', '/api/v1/hosting/claim', page.claim)).status, 200, 'not claimed');
  });

  it('spends the token, and later attempts are told so, also those of the same account', async () => {
    const page = await published();
    const creator = await service.creator();
    assert.equal((await claimWith(creator, page.claim)).status, 201);
    for (const answer of [
      await withClaim('GET', '/api/v1/hosting/claim', page.claim),
      await withClaim('GET', `${path}/${page.id}`, page.claim),
      await anonymous.call('POST', path, { files: fileEntries(files('q')), claim: page.claim }),
      await anonymous.call('POST', `${path}/${page.id}/finish`, { claim: page.claim }),
    ]) {
      assert.deepEqual([answer.status, answer.json().code], [409, 'claim_spent']);
    }
    const stranger = await claimWith(await service.creator(), page.claim);
    assert.deepEqual([stranger.status, stranger.json().code], [404, 'claim_not_found']);
    const again = await claimWith(creator, page.claim);
    assert.equal(again.status, 201, again.text());
  });

  it('needs an account with a handle that may publish', async () => {
    const page = await published();
    const { db } = service.service.platform.database;
    const nameless = await service.creator();
    await db.updateTable('creators').set({ handle: null }).where('handle', '=', nameless.handle).execute();
    const dryRun = { files: fileEntries(files('tried')), claim: page.claim, dryRun: true };
    for (const noProfile of [
      await claimWith(nameless, page.claim),
      await nameless.call('POST', path, dryRun),
    ])
      assert.deepEqual([noProfile.status, noProfile.json().code], [409, 'claim_no_profile']);
    const banned = await service.creator();
    await db.updateTable('creators').set({ banned_at: 1 }).where('handle', '=', banned.handle).execute();
    const refused = await claimWith(banned, page.claim);
    assert.deepEqual([refused.status, refused.json().code], [403, 'claim_banned']);
  });

  for (const [action, code, undo] of [
    ['hold', 'held', 'release'],
    ['remove', 'removed', 'restore'],
  ] as const) {
    it(`waits while the page is ${code}, whichever way it is tried`, async () => {
      const operator = await service.creator(undefined, { operator: true });
      const page = await published(`claimed while ${code}`);
      const act = (done: string) =>
        operator.call('POST', `/api/operator/spaces/${page.space.slug}/${done}`, { reason: 'Harm.' });
      assert.equal((await act(action)).status, 200);
      const creator = await service.creator();
      const visitor = await signUp(service, { handle: `late_${action}` });
      const body = { files: fileEntries(files('again')), claim: page.claim };
      // Outside of hosting, `error` has the code.
      for (const refused of [
        await claimWith(creator, page.claim),
        await creator.call('POST', path, { ...body, dryRun: true }),
        await creator.call('POST', `${path}/${page.id}/finish`, { claim: page.claim }),
        await visitor.call('POST', '/api/account/claim', { claim_token: page.claim }),
      ])
        assert.deepEqual([refused.status, refused.json().code ?? refused.json().error], [409, code]);
      assert.equal((await act(undo)).status, 200);
      assert.equal((await claimWith(creator, page.claim)).status, 201);
    });
  }

  it('leaves a hidden page hidden, until an operator shows it again', async () => {
    const operator = await service.creator(undefined, { operator: true });
    const page = await published('claimed while hidden');
    const act = (slug: string, done: string) =>
      operator.call('POST', `/api/operator/spaces/${slug}/${done}`, { reason: 'Harm.' });
    assert.equal((await act(page.space.slug, 'hide')).status, 200);
    const creator = await service.creator();
    const claimed = await claimWith(creator, page.claim, 'claimed while hidden');
    assert.equal(claimed.status, 201, claimed.text());
    const { slug } = claimed.json().space;
    const stateOf = async () => (await creator.call('GET', `/api/spaces/${slug}`)).json().state;
    assert.equal(await stateOf(), 'hidden');
    const preview = await creator.call('POST', `${path}/${page.id}/preview`);
    assert.deepEqual([preview.status, preview.json().code], [409, 'space_unavailable'], preview.text());
    assert.equal((await act(slug, 'restore')).status, 200);
    assert.equal(await stateOf(), 'listed');
  });

  it('gives the page to one of two accounts that try at once', async () => {
    for (let round = 0; round < 5; round++) {
      const page = await published();
      const creators = [await service.creator(), await service.creator()];
      const answers = await Promise.all(
        creators.flatMap((creator) => [claimWith(creator, page.claim), claimWith(creator, page.claim)]),
      );
      const winners = answers.filter(({ status }) => status === 201);
      assert.equal(winners.length, 2, answers.map((answer) => answer.text()).join('\n'));
      assert.deepEqual(
        answers.filter(({ status }) => status !== 201).map((answer) => answer.json().code),
        ['claim_not_found', 'claim_not_found'],
      );
    }
  });

  it('gives the complete page when it ends at the same time, or fails', async () => {
    for (let round = 0; round < 6; round++) {
      const page = await published();
      const creator = await service.creator();
      const claiming = claimWith(creator, page.claim);
      // Some pages are claimed before the end and some after it. The test accepts both.
      await sleep(round * 4);
      service.clock.advance({ days: 7, seconds: 1 });
      const [claimed] = await Promise.all([claiming, service.service.sweep()]);
      await service.service.sweep();
      const { status } = await creator.call('GET', `${path}/${page.id}`);
      const own = (await creator.call('GET', '/api/spaces')).json().spaces.length;
      const shown = (await service.get(page.space.url)).status;
      if (claimed.status === 201) assert.deepEqual([status, own], [200, 1]);
      else {
        assert.deepEqual([claimed.status, claimed.json().code], [410, 'claim_expired'], claimed.text());
        assert.deepEqual([status, own, shown], [404, 0, 410]);
      }
    }
  });

  it('loses neither the version nor the uploads of a finish at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const mark = `racing ${Math.random()}`;
      const page = await published();
      const created = (
        await anonymous.call('POST', path, { files: fileEntries(files(mark)), claim: page.claim })
      ).json();
      const creator = await service.creator();
      const [upload, claimed] = await Promise.all([
        putFile(service, created.uploads[0].url, files(mark)['index.html']),
        claimWith(creator, page.claim, mark),
      ]);
      assert.deepEqual([upload.status, claimed.status], [200, 201]);
      const [finish] = await Promise.all([
        anonymous.call('POST', `${path}/${created.version.id}/finish`, { claim: page.claim }),
        creator.call('POST', `${path}/${created.version.id}/finish`, {}),
      ]);
      assert.equal(finish.json().code, 'claim_spent');
      assert.equal(
        (await creator.client.readVersion({ params: { id: created.version.id } })).status,
        'preview',
      );
    }
  });
});
