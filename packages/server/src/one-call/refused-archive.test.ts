import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hostingCodeOf } from '../../test/answers.ts';
import { fieldOf, formOf, formType, tarGzOf, tarOf, zipOf } from '../../test/archives.ts';
import { publishLive, smallGame } from '../../test/files.ts';
import { as, type Headers, oneCallSettings, oneCalls } from '../../test/one-call.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

const MiB = 1024 * 1024;

describe('publishing in one call refuses', () => {
  let service: TestService;
  let ada: Persona;
  before(async () => {
    service = await startService({ environment: oneCallSettings });
    ada = await service.creator('ada');
  });
  after(async () => {
    try {
      assert.deepEqual(await temporaryFiles(), []);
    } finally {
      await service.close();
    }
  });

  const { send, temporaryFiles } = oneCalls(() => service);

  const file = (name: string) => ({ name, content: 'x' });
  const zips: [string, Parameters<typeof zipOf>[1], string][] = [
    ['an escaping name', [file('../../etc/cron')], '../../etc/cron'],
    ['an escaping name of Windows', [file('a\\..\\..\\b')], 'a/../../b'],
    ['an absolute name', [file('/etc/passwd')], '/etc/passwd'],
    ['a drive', [file('C:/a.txt')], 'C:/a.txt'],
    ['a link', [{ name: 'link', content: '/etc/passwd', mode: 0o120_777 }], 'link'],
    ['a device', [{ name: 'dev', mode: 0o020_666 }], 'dev'],
    ['an encrypted entry', [{ name: 'secret.js', content: 'x', encrypted: true }], 'secret.js'],
    ['another packing', [{ name: 'a.xz', content: 'x', method: 95 }], 'a.xz'],
    ['a name that is there twice', [file('index.html')], 'index.html'],
    ['two spellings of a name', [file('INDEX.html')], 'INDEX.html'],
    [
      'a service.json in another encoding',
      [{ name: 'service.json', content: Buffer.from('{ "title": "Café" }', 'latin1') }],
      'service.json',
    ],
    [
      'a second service.json',
      [
        { name: 'service.json', content: '{}' },
        { name: 'service.json', content: '{}' },
      ],
      'service.json',
    ],
    ['a name that no file may have', [file('aux.js')], 'aux.js'],
  ];
  for (const [what, more, path] of zips) {
    it(`${what} of a zip`, async () => {
      const answer = await send(zipOf(smallGame, more));
      assert.deepEqual(hostingCodeOf(answer), [422, 'invalid_files'], answer.text());
      assert.deepEqual(answer.json().paths, [path]);
      assert.ok(answer.json().error.includes(`«${path}»`));
    });
  }
  const tars: [string, Parameters<typeof tarOf>[1], string][] = [
    ['an escaping name', [{ name: 'a/../../b' }], 'a/../../b'],
    ['an absolute name', [{ name: '/etc/passwd' }], '/etc/passwd'],
    ['a link', [{ name: 'link', type: 'symlink', linkname: '/etc/passwd' }], 'link'],
    ['a hard link', [{ name: 'hard', type: 'link', linkname: 'index.html' }], 'hard'],
    ['a device', [{ name: 'dev', type: 'character-device' }], 'dev'],
    ['a pipe', [{ name: 'pipe', type: 'fifo' }], 'pipe'],
    // As GNU tar writes a file with holes with -S.
    ['a sparse file', [{ name: 'holes.bin', pax: { 'GNU.sparse.major': '1' } }], 'holes.bin'],
  ];
  for (const [what, more, path] of tars) {
    it(`${what} of a tar`, async () => {
      for (const body of [await tarOf(smallGame, more), await tarGzOf(smallGame, more)]) {
        const answer = await send(body);
        assert.deepEqual(hostingCodeOf(answer), [422, 'invalid_files'], answer.text());
        assert.deepEqual(answer.json().paths, [path]);
      }
    });
  }
  it('unsafe file names of a form', async () => {
    const answer = await send(formOf({ ...smallGame, '../up.js': 'x' }), {}, { 'content-type': formType });
    assert.deepEqual([...hostingCodeOf(answer), answer.json().paths], [422, 'invalid_files', ['../up.js']]);
  });

  it('archives that are too large or unpack to too much', async () => {
    const file = zipOf({ ...smallGame, 'big.bin': Buffer.alloc(MiB + 1) });
    const all = await tarGzOf({ 'a.bin': Buffer.alloc(MiB), 'b.bin': Buffer.alloc(MiB), 'c.bin': 'x' });
    for (const [body, path] of [
      [file, 'big.bin'],
      [all, 'c.bin'],
    ] as const) {
      const answer = await send(body);
      assert.deepEqual([...hostingCodeOf(answer), answer.json().files[0].path], [413, 'too_large', path]);
    }
    const zeros = Buffer.alloc(40 * MiB);
    for (const body of [
      zipOf({ 'a.bin': zeros }),
      await tarGzOf({ 'a.bin': zeros }),
      await tarGzOf({ '.hidden': zeros }),
    ]) {
      const answer = await send(body, {}, as(ada));
      assert.deepEqual(hostingCodeOf(answer), [413, 'too_large'], answer.text());
      assert.match(answer.json().error, /200 times/u);
    }
    const declared = await send(Buffer.alloc(20 * MiB), {}, { 'content-type': 'application/zip' });
    assert.deepEqual(hostingCodeOf(declared), [413, 'too_large']);
  });

  it('too many files, and names the largest', async () => {
    const files = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`${at}.txt`, '']));
    Object.assign(files, { 'a/7.txt': '7777777', '5.txt': '55555' });
    const form = await send(formOf(files), {}, { 'content-type': formType });
    for (const answer of [await send(zipOf(files)), await send(await tarOf(files)), form]) {
      assert.deepEqual(hostingCodeOf(answer), [422, 'too_many_files']);
      const { files: named, maxFiles } = answer.json();
      assert.deepEqual([named.length, maxFiles], [5, 2_000]);
      assert.deepEqual(named[0], { path: '5.txt', size: 5 });
    }
  });

  it('too many parts of a form, and names the largest', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 20_001 }, (_, at) => [`.git/${at}`, at ? '' : '0']),
    );
    const answer = await send(formOf(files), {}, { 'content-type': formType });
    assert.deepEqual(hostingCodeOf(answer), [422, 'too_many_files']);
    assert.deepEqual(answer.json().files[0], { path: '.git/0', size: 1 });
  });

  it('too many entries, also of files that it would leave out', async () => {
    const left = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`.git/${at}`, '']));
    const answer = await send(zipOf({ ...left, ...smallGame }));
    assert.deepEqual(hostingCodeOf(answer), [422, 'too_many_files']);
    assert.match(answer.json().error, /20000 entries/u);
  });

  it('a zip with a file that has other bytes than were packed', async () => {
    const zip = zipOf({}, [{ name: 'index.html', content: '<h1>Hop</h1>', stored: true }]);
    zip.write('<h2>Hop</h2>', zip.indexOf('<h1>Hop</h1>'));
    const answer = await send(zip);
    assert.deepEqual(hostingCodeOf(answer), [422, 'invalid_files'], answer.text());
    assert.match(answer.json().error, /«index\.html» is damaged/u);
  });

  it('files that are not archives, and truncated archives', async () => {
    const zip = zipOf(smallGame);
    const tar = await tarOf(smallGame);
    const gz = gzipSync(tar);
    const form = formOf(smallGame);
    for (const [body, type] of [
      [Buffer.from('<!doctype html>'), 'text/html'],
      [zip.subarray(0, -30), 'application/zip'],
      [zipOf({}), 'application/zip'],
      [tar.subarray(0, 700), 'application/x-tar'],
      [gz.subarray(0, -20), 'application/gzip'],
      [gzipSync('no tar'), 'application/gzip'],
      [form.subarray(0, -30), formType],
      [formOf({}), formType],
      [form, 'multipart/form-data'],
    ] as const) {
      const answer = await send(body, {}, { 'content-type': type });
      assert.deepEqual(hostingCodeOf(answer), [422, 'invalid_files'], `${type} ${answer.text()}`);
      assert.match(answer.json().error, /[^.]\.$/u);
    }
    const field = await send(formOf(smallGame, fieldOf('title', 'x')), {}, { 'content-type': formType });
    assert.deepEqual(hostingCodeOf(field), [422, 'invalid_request']);
    assert.match(field.json().error, /«title»/u);
  });

  it('archives that break a rule of publishing, and stores nothing of them', async () => {
    const nobody = {};
    const { space } = await publishLive(service, ada);
    const other = await service.creator();
    const { space: theirs } = await publishLive(service, other);
    const gone = await publishLive(service, ada);
    const held = await publishLive(service, ada);
    const operator = await service.creator(undefined, { operator: true });
    for (const [slug, action] of [
      [gone.space.slug, 'remove'],
      [held.space.slug, 'hold'],
    ])
      await operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: 'r' });
    const game = zipOf(smallGame);
    const withSettings = (settings: unknown) =>
      zipOf({
        ...smallGame,
        'service.json': typeof settings === 'string' ? settings : JSON.stringify(settings),
      });
    const boards = Array.from({ length: 11 }, (_, at) => ({ key: `b${at}` }));
    const expected: [number, string, Buffer, Record<string, string>, Headers][] = [
      [403, 'sign_in_required', game, { live: 'true' }, nobody],
      [401, 'unauthorized', game, { space: space.slug }, nobody],
      [403, 'cross_site', game, {}, { 'sec-fetch-site': 'cross-site' }],
      [404, 'claim_not_found', game, {}, { 'x-service-claim': 'none' }],
      [422, 'invalid_fields', game, { type: 'rpg' }, as(ada)],
      [422, 'invalid_declaration', withSettings({ boards: [{ key: 'No' }] }), {}, as(ada)],
      [422, 'invalid_declaration', withSettings('{'), {}, as(ada)],
      [422, 'invalid_declaration', withSettings('[]'), {}, as(ada)],
      [422, 'invalid_declaration', withSettings('{"space":"\\u0000"}'), {}, as(ada)],
      [422, 'invalid_declaration', withSettings('{"title":"a\\ud800"}'), {}, as(ada)],
      [422, 'invalid_declaration', withSettings({ space: 5 }), {}, as(ada)],
      [422, 'invalid_declaration', withSettings({ files: [] }), {}, as(ada)],
      [422, 'no_entry', game, { entry: 'none.html' }, as(ada)],
      [409, 'too_many', withSettings({ boards }), {}, as(ada)],
      [403, 'not_owner', game, { space: theirs.slug }, as(ada)],
      [404, 'not_found', game, { space: 'nowhere' }, as(ada)],
      [409, 'removed', game, { space: gone.space.slug }, as(ada)],
      [409, 'held', game, { space: held.space.slug }, as(ada)],
      [422, 'invalid_request', game, { wait: '61' }, as(ada)],
      [422, 'invalid_request', game, { live: 'yes' }, as(ada)],
    ];
    const versions = () => service.service.platform.database.db.selectFrom('versions').select('id').execute();
    const before = (await versions()).length;
    for (const [status, code, body, query, headers] of expected) {
      const answer = await send(body, query, headers);
      assert.deepEqual(hostingCodeOf(answer), [status, code], answer.text());
    }
    const nested = await send(zipOf({ 'a/my game/index.html': 'x', 'a/read.me': 'x' }), {}, as(ada));
    assert.equal(
      nested.json().next,
      `Add entry=my%20game%2Findex.html to the query, or pack the files without «my game/» in front: POST ${service.baseUrl}/api/v1/hosting/publish.`,
    );
    const nameless = await signUp(service);
    const cookie = [...nameless.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { cookie, 'sec-fetch-site': 'same-origin' };
    assert.deepEqual(hostingCodeOf(await send(game, {}, own)), [403, 'no_handle']);
    assert.equal((await versions()).length, before);
  });

  it('claim tokens with the same answers as elsewhere', async () => {
    const { claimToken } = (await send(zipOf(smallGame))).json();
    const byClaim = { 'x-service-claim': claimToken };
    const nameless = await signUp(service);
    const cookie = [...nameless.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const noProfile = await send(
      zipOf(smallGame),
      {},
      { cookie, 'sec-fetch-site': 'same-origin', ...byClaim },
    );
    assert.deepEqual(hostingCodeOf(noProfile), [409, 'claim_no_profile']);
    const banned = await service.creator('bea');
    const operator = await service.creator(undefined, { operator: true });
    await operator.call('POST', '/api/operator/accounts/bea/ban', { reason: 'r' });
    assert.deepEqual(hostingCodeOf(await send(zipOf(smallGame), {}, as(banned, byClaim))), [
      403,
      'claim_banned',
    ]);
    assert.equal((await send(zipOf(smallGame), {}, as(ada, byClaim))).status, 201);
    assert.deepEqual(hostingCodeOf(await send(zipOf(smallGame), {}, byClaim)), [409, 'claim_spent']);
    const late = (await send(zipOf(smallGame))).json().claimToken;
    service.clock.advance({ days: 8 });
    assert.deepEqual(hostingCodeOf(await send(zipOf(smallGame), {}, { 'x-service-claim': late })), [
      410,
      'claim_expired',
    ]);
  });
});
