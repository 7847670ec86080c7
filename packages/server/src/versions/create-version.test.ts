import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  fileEntries,
  listing,
  publishFiles,
  publishLive,
  putFile,
  sha256,
  smallGame,
} from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

const path = '/api/v1/hosting/versions';
const files = fileEntries(smallGame);

describe('creating a version', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { MAX_FILE_BYTES: '1000', MAX_VERSION_BYTES: '3000' } });
    creator = await service.creator();
  });
  after(() => service.close());

  const create = (body: Record<string, unknown>, who: Pick<Persona, 'call'> = creator) =>
    who.call('POST', path, body);
  it('returns the version, its space and links for missing files', async () => {
    const answer = await create({ fields: { ...listing, title: 'A Créme Tale!' }, files });
    assert.equal(answer.status, 201);
    const { version, space, uploads, limits } = answer.json();
    assert.equal(version.number, 1);
    assert.equal(space.slug, 'a-creme-tale');
    assert.match(space.url, /^http:\/\/a-creme-tale\.play\.localhost:\d+\/$/u);
    assert.deepEqual(
      uploads.map((upload: { sha256: string }) => upload.sha256).sort(),
      files.map((file) => file.sha256).sort(),
    );
    assert.deepEqual(limits, {
      maxFiles: 2000,
      maxFileBytes: 1000,
      maxVersionBytes: 3000,
      uploadLinkSeconds: 7200,
      maxBoards: 10,
      maxStats: 50,
      maxAchievements: 50,
    });
  });

  it('gives a title that is taken a different slug', async () => {
    const slugs = [];
    for (let count = 0; count < 3; count++) {
      const answer = await create({ fields: { ...listing, title: 'Twice' }, files });
      slugs.push(answer.json().space.slug);
    }
    assert.deepEqual(slugs, ['twice', 'twice-2', 'twice-3']);
  });

  it('asks once for bytes that are at two paths', async () => {
    const twice = [
      { path: 'index.html', size: 3, sha256: sha256('abc') },
      { path: 'b.html', size: 3, sha256: sha256('abc') },
    ];
    const answer = await create({ fields: listing, files: twice });
    assert.equal(answer.json().uploads.length, 1);
  });

  it('asks only for the changed files of a later version', async () => {
    const first = await publishLive(service, creator);
    const changed = { ...smallGame, 'game.js': 'document.title = "two";' };
    const answer = await create({ space: first.space.slug, files: fileEntries(changed) });
    assert.equal(answer.json().version.number, 2);
    assert.deepEqual(
      answer.json().uploads.map((upload: { sha256: string }) => upload.sha256),
      [sha256(changed['game.js'])],
    );
  });

  it('asks for bytes that only another creator’s private version has', async () => {
    const secret = { 'index.html': 'only mine' };
    await publishFiles(creator, secret);
    const stranger = await service.creator();
    const answer = await create({ fields: listing, files: fileEntries(secret) }, stranger);
    assert.equal(answer.json().uploads.length, 1);
  });

  it('does not ask for bytes of a version that has been public', async () => {
    const open = { 'index.html': 'for everyone' };
    await publishLive(service, creator, open);
    const stranger = await service.creator();
    const answer = await create({ fields: listing, files: fileEntries(open) }, stranger);
    assert.deepEqual(answer.json().uploads, []);
  });

  it('stores nothing in a dry run, and says what would change', async () => {
    const first = await publishLive(service, creator, { ...smallGame, 'old.txt': 'old' });
    const { db } = service.service.platform.database;
    const before = await db.selectFrom('versions').selectAll().execute();
    const next = fileEntries({ ...smallGame, 'game.js': 'changed', 'new.txt': 'new' });
    const answer = await create({ space: first.space.slug, files: next, dryRun: true });
    assert.equal(answer.status, 200, answer.text());
    const { dryRun, missing, diff } = answer.json();
    assert.equal(dryRun, true);
    assert.deepEqual(missing, { files: 2, bytes: 10 });
    assert.deepEqual(diff, { added: ['new.txt'], changed: ['game.js'], removed: ['old.txt'], unchanged: 1 });
    assert.deepEqual(await db.selectFrom('versions').selectAll().execute(), before);
  });
});

describe('the publish rate limit', () => {
  it('counts exactly, also when creates come at once, and ends after an hour', async () => {
    const service = await startService({ environment: { PUBLISHES_PER_HOUR: '5' } });
    try {
      const creator = await service.creator();
      const create = () => creator.call('POST', path, { fields: listing, files });
      const answers = await Promise.all(Array.from({ length: 12 }, create));
      assert.equal(answers.filter(({ status }) => status === 201).length, 5);
      const limited = answers.find(({ status }) => status === 429);
      assert.equal(limited?.json().code, 'rate_limited');
      const retryAfter = Number(limited?.headers['retry-after']);
      assert.ok(retryAfter > 3500 && retryAfter <= 3600, String(retryAfter));
      service.clock.advance({ seconds: retryAfter });
      assert.equal((await create()).status, 201);
    } finally {
      await service.close();
    }
  });
});

it('the files of an account count once, and a refusal over the quota names the spaces that use it', async () => {
  const service = await startService({ role: 'serve', environment: { ACCOUNT_MAX_BYTES: '500k' } });
  try {
    const creator = await service.creator();
    const file = (letter: string) => letter.repeat(200 * 1024);
    const { space } = await publishFiles(creator, { 'index.html': file('a') });
    const create = (letter: string, more: object = {}) =>
      creator.call('POST', '/api/v1/hosting/versions', {
        space: space.slug,
        files: fileEntries({ 'index.html': file('a'), 'b.txt': file(letter), 'again.txt': file(letter) }),
        ...more,
      });
    const second = await create('b');
    assert.equal(second.status, 201, second.text());
    // The third was created before the file of the second came, when there was still room.
    const third = await create('c');
    assert.equal(third.status, 201, third.text());
    const [upload] = second.json().uploads;
    assert.equal(upload.sha256, sha256(file('b')));
    assert.equal((await putFile(service, upload.url, file('b'))).status, 200);
    const late = await putFile(service, third.json().uploads[0].url, file('c'));
    assert.deepEqual([late.status, late.json().code], [413, 'too_large']);
    for (const more of [{}, { dryRun: true }]) {
      const refused = await create('d', more);
      assert.equal(refused.status, 413, refused.text());
      const { code, maxBytes, usedBytes, newBytes, spaces } = refused.json();
      assert.deepEqual(
        [code, maxBytes, usedBytes, newBytes],
        ['too_large', 500 * 1024, 400 * 1024, 200 * 1024],
      );
      assert.equal(spaces[0].slug, space.slug);
      assert.ok(refused.json().error.includes(`«${space.slug}»`));
    }
    assert.equal((await create('b')).status, 201, 'what is there adds nothing');
    const other = await service.creator();
    const fields = { fields: listing, files: fileEntries({ 'index.html': file('d') }) };
    assert.equal((await other.call('POST', '/api/v1/hosting/versions', fields)).status, 201);
  } finally {
    await service.close();
  }
});
