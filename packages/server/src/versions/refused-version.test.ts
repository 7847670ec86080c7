import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import { fileEntries, listing, publishFiles, publishLive, sha256, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

const path = '/api/v1/hosting/versions';
const files = fileEntries(smallGame);

describe('creating a version refuses, and stores nothing of', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { MAX_FILE_BYTES: '1000', MAX_VERSION_BYTES: '3000' } });
    creator = await service.creator();
  });
  after(() => service.close());

  const create = (body: Record<string, unknown>, who: Pick<Persona, 'call'> = creator) =>
    who.call('POST', path, body);

  /** Checks that a refused create leaves nothing behind. */
  async function refused(
    body: Record<string, unknown>,
    status: number,
    code: string,
    who: Pick<Persona, 'call'> = creator,
  ) {
    const { db } = service.service.platform.database;
    const count = async () => {
      const tables = ['spaces', 'slugs', 'versions', 'manifests', 'rate_hits'] as const;
      return Promise.all(
        tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length),
      );
    };
    const before = await count();
    const answer = await create(body, who);
    assert.equal(answer.status, status, answer.text());
    const problem = answer.json();
    assert.equal(problem.code, code);
    assert.match(problem.error, /^[A-Z«].*\.$/u, 'error is a sentence');
    assert.deepEqual(await count(), before);
    return problem;
  }

  it('files at the path of the player module, unless the version does without it', async () => {
    for (const path of [
      'service/sdk.js',
      'Service/SDK.js',
      'service/sdk-1.js',
      'service/sdk-together-1.js',
    ]) {
      const body = { fields: listing, files: [...files, { path, size: 4, sha256: sha256('mine') }] };
      const problem = await refused(body, 422, 'invalid_files');
      assert.deepEqual(problem.paths, [path]);
      assert.match(problem.error, /"sdk": false/u);
      const without = await create({ ...body, sdk: false }, creator);
      assert.equal(without.status, 201, without.text());
    }
  });

  it('a caller without a token', async () => {
    const { db } = service.service.platform.database;
    const before = (await db.selectFrom('versions').selectAll().execute()).length;
    const answer = await creator.call(
      'POST',
      path,
      { fields: listing, files },
      { authorization: 'Bearer sp_token_wrong' },
    );
    assert.equal(answer.status, 401);
    assert.equal(answer.json().code, 'unauthorized');
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
    assert.equal((await db.selectFrom('versions').selectAll().execute()).length, before);
  });

  it('a body that is not JSON', async () => {
    const answer = await creator.call('POST', path, '{"files":');
    assert.equal(answer.status, 422);
    assert.equal(answer.json().code, 'invalid_request');
  });

  it('an unknown field', async () => {
    const problem = await refused({ fields: listing, files, colour: 'red' }, 422, 'invalid_request');
    const [{ path, message }] = problem.issues;
    assert.equal(path, 'colour');
    assert.match(message, /^is not a field of this request; there are space, fields, files, /u);
  });

  it('a size that differs from that of the stored file, in a dry run too', async () => {
    const game = { 'index.html': 'of one length', 'a.txt': 'the same' };
    await publishLive(service, creator, game);
    const stranger = await service.creator();
    const [entry, other] = fileEntries(game);
    for (const who of [creator, stranger, service.anonymous]) {
      for (const by of [-5, 1, 500]) {
        const lying = [{ ...entry, size: (entry?.size ?? 0) + by }, other];
        for (const dryRun of [false, true]) {
          const problem = await refused({ fields: listing, files: lying, dryRun }, 422, 'invalid_files', who);
          assert.deepEqual(problem.paths, ['index.html']);
          assert.match(problem.error, /^«index\.html» is declared with \d+ bytes; .* has 13\.$/u);
        }
      }
    }
  });

  it('no size of bytes that only another’s private version has, which would reveal the right size', async () => {
    const secret = { 'index.html': 'only mine, of some length' };
    await publishFiles(creator, secret);
    const [entry] = fileEntries(secret);
    const stranger = await service.creator();
    for (const by of [0, 1]) {
      const asked = [{ ...entry, size: (entry?.size ?? 0) + by }];
      const answer = await create({ fields: listing, files: asked }, stranger);
      assert.equal(answer.status, 201, answer.text());
      assert.equal(answer.json().uploads.length, 1);
    }
  });

  it('keys of Object.prototype', async () => {
    const answer = await creator.call('POST', path, '{"files":[],"__proto__":{"a":1}}');
    assert.deepEqual(hostingCodeOf(answer), [422, 'invalid_request']);
  });

  it('a new space without its required fields, naming them', async () => {
    const problem = await refused({ fields: { title: 'x' }, files }, 422, 'missing_fields');
    assert.deepEqual(problem.fields, ['space_type', 'devices']);
  });

  it('a bad listing field, naming it', async () => {
    const problem = await refused(
      { fields: { ...listing, devices: ['toaster'] }, files },
      422,
      'invalid_fields',
    );
    assert.deepEqual(problem.fields, ['devices']);
    assert.equal(problem.issues[0].path, 'fields.devices.0');
  });

  it('a title with control characters, without text, or of excessive length', async () => {
    await refused({ fields: { ...listing, title: 'a\u0007b' }, files }, 422, 'invalid_fields');
    await refused({ fields: { ...listing, title: '   ' }, files }, 422, 'invalid_fields');
    await refused({ fields: { ...listing, title: 'x'.repeat(81) }, files }, 422, 'invalid_fields');
  });

  const badPaths = [
    'service.json',
    'SERVICE.JSON',
    'data/Service.json',
    'ｓervice.json',
    'service\u200b.json',
    '.env',
    'a/.git/config',
    'node_modules/x.js',
    'a/Node_Modules/x.js',
    '../up.html',
    '/abs.html',
    'a//b',
    'a\\b',
    'a?b',
    'nul.txt',
    'trailing./x',
    'trailing ',
    `${'d/'.repeat(121)}x`,
  ];
  for (const bad of badPaths) {
    it(`the path ${JSON.stringify(bad.slice(0, 30))}`, async () => {
      const problem = await refused(
        { fields: listing, files: [...files, { path: bad, size: 1, sha256: sha256('x') }] },
        422,
        'invalid_files',
      );
      assert.deepEqual(problem.paths, [bad]);
    });
  }

  it('two paths that are equal on some file system, and a file that is also a folder', async () => {
    const pair = (left: string, right: string) => [
      ...files,
      ...[left, right].map((name) => ({ path: name, size: 1, sha256: sha256('x') })),
    ];
    await refused({ fields: listing, files: pair('Sprite.png', 'sprite.PNG') }, 422, 'invalid_files');
    await refused({ fields: listing, files: pair('straße', 'STRASSE') }, 422, 'invalid_files');
    await refused({ fields: listing, files: pair('a', 'a/b') }, 422, 'invalid_files');
  });

  it('one hash with two sizes, and an invalid hash', async () => {
    const two = [
      ...files,
      { path: 'a', size: 1, sha256: sha256('x') },
      { path: 'b', size: 2, sha256: sha256('x') },
    ];
    await refused({ fields: listing, files: two }, 422, 'invalid_files');
    await refused(
      { fields: listing, files: [{ path: 'index.html', size: 1, sha256: 'ABC' }] },
      422,
      'invalid_files',
    );
  });

  it('a version without its entry', async () => {
    await refused(
      { fields: listing, files: [{ path: 'game.html', size: 1, sha256: sha256('x') }] },
      422,
      'no_entry',
    );
    await refused({ fields: listing, files, entry: 'start.html' }, 422, 'no_entry');
  });

  it('a file or a version that is too large, naming the largest', async () => {
    const big = { path: 'big.bin', size: 1001, sha256: sha256('big') };
    const problem = await refused({ fields: listing, files: [...files, big] }, 413, 'too_large');
    assert.deepEqual(problem.files, [{ path: 'big.bin', size: 1001 }]);
    const many = Array.from({ length: 4 }, (_, index) => ({
      path: `f${index}`,
      size: 900,
      sha256: sha256(`f${index}`),
    }));
    const whole = await refused({ fields: listing, files: [...files, ...many] }, 413, 'too_large');
    assert.equal(whole.files[0].size, 900);
  });

  it('more than 2,000 files', async () => {
    const many = Array.from({ length: 2001 }, (_, index) => ({
      path: `f${index}`,
      size: index % 7,
      sha256: sha256(`${index % 7}`),
    }));
    const large = { path: 'large.bin', size: 9, sha256: sha256('large') };
    const odd = { path: 7, size: 'none' };
    const named = await refused({ fields: listing, files: [...many, large, odd] }, 422, 'too_many_files');
    assert.deepEqual(named.files[0], { path: 'large.bin', size: 9 });
    assert.deepEqual(
      named.files.map(({ size }: { size: number }) => size),
      [9, 6, 6, 6, 6],
    );
    await refused({ fields: listing, files: [] }, 422, 'invalid_request');
  });

  it('invalid or too many declarations', async () => {
    await refused({ fields: listing, files, boards: [{ key: 'Bad Key' }] }, 422, 'invalid_declaration');
    await refused({ fields: listing, files, start: 'never' }, 422, 'invalid_declaration');
    const achievements = [{ key: 'first', trigger: { stat: 'jumps', atLeast: 1 } }];
    const problem = await refused({ fields: listing, files, achievements }, 422, 'invalid_declaration');
    assert.equal(problem.issues[0].path, 'achievements.0.trigger.stat');
    const boards = Array.from({ length: 11 }, (_, index) => ({ key: `b${index}` }));
    await refused({ fields: listing, files, boards }, 409, 'too_many');
  });

  it('an unknown space, and another’s', async () => {
    await refused({ space: 'nowhere', files }, 404, 'not_found');
    const { space } = await publishFiles(creator, smallGame);
    await refused({ space: space.slug, files }, 403, 'not_owner', await service.creator());
  });

  it('an account without a handle, and a banned one', async () => {
    const { db } = service.service.platform.database;
    const nameless = await service.creator();
    await db.updateTable('creators').set({ handle: null }).where('handle', '=', nameless.handle).execute();
    await refused({ fields: listing, files }, 403, 'no_handle', nameless);
    const banned = await service.creator();
    await db.updateTable('creators').set({ banned_at: 1 }).where('handle', '=', banned.handle).execute();
    await refused({ fields: listing, files }, 403, 'forbidden', banned);
  });
});
