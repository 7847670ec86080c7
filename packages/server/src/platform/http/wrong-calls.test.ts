import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileEntries, listing, publishFiles, publishLive, putFile, smallGame } from '../../../test/files.ts';
import { requireAddresses } from '../../../test/named-addresses.ts';
import type { RawAnswer } from '../../../test/raw-http.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';
import { type SignedUp, signUp } from '../../../test/visitor.ts';

const versions = '/api/v1/hosting/versions';
const files = fileEntries(smallGame);
const create = { fields: listing, files };

/** The calls that somebody gets wrong who knows no more of the service than it serves. */
describe('a wrong call', () => {
  let service: TestService;
  let ada: Persona;
  let nameless: SignedUp;
  let slug: string;
  let secret: string;
  before(async () => {
    service = await startService({
      environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '20', ANONYMOUS_MAX_FILE_BYTES: '1000' },
    });
    ada = await service.creator('ada');
    nameless = await signUp(service);
    slug = (await publishLive(service, ada)).space.slug;
    secret = (await ada.call('POST', `/api/spaces/${slug}/secret`)).json().secret;
    await ada.call('PUT', `/api/spaces/${slug}/boards`, { boards: [{ key: 'points' }] });
  });
  after(() => service.close());

  const bySecret = (path: string, body: unknown) =>
    service.anonymous.call('POST', path, body, { authorization: `Bearer ${secret}` });
  const sentenceOf = (answer: RawAnswer): string => answer.json().message ?? answer.json().error;
  const codeOf = (answer: RawAnswer): string => answer.json().code ?? answer.json().error;

  /** Each field is named once, and no word is the validator's. */
  function requireOneEach(answer: RawAnswer): void {
    const issues: { path: string; message: string }[] = answer.json().issues ?? [];
    assert.equal(new Set(issues.map(({ path }) => path)).size, issues.length, answer.text());
    assert.doesNotMatch(
      answer.text(),
      /Invalid |Too (?:big|small)|expected .* received|to (?:have|be) [<>]/u,
    );
  }

  describe('with a value of the wrong kind', () => {
    const wrong: [string, unknown, string, string][] = [
      [
        'a text for a list',
        { ...create, fields: { ...listing, devices: 'desktop' } },
        'fields.devices',
        'must be a list, not the text «desktop»',
      ],
      ['an object for a list', { ...create, files: { a: 1 } }, 'files', 'must be a list, not an object'],
      [
        'a text for a size',
        { ...create, files: [{ ...files[0], size: '12' }] },
        'files.0.size',
        'must be a number, not the text «12»',
      ],
      [
        'a part of a byte',
        { ...create, files: [{ ...files[0], size: 1.5 }] },
        'files.0.size',
        'must be a whole number, not the number 1.5',
      ],
      [
        'a kind that is none',
        { ...create, fields: { ...listing, space_type: 'rpg' } },
        'fields.space_type',
        'must be one of game, app, tool, toy, art, story, music, learning, other, not the text «rpg»',
      ],
      ['a text for yes', { ...create, spa: 'true' }, 'spa', 'must be true or false, not the text «true»'],
      [
        'text for a trigger',
        { ...create, achievements: [{ key: 'ten', trigger: 'dots>=10' }] },
        'achievements.0.trigger',
        'must be an object, not the text «dots>=10»',
      ],
      [
        'a part of a decimal',
        { ...create, boards: [{ key: 'a', decimals: 1.5 }] },
        'boards.0.decimals',
        'must be a whole number, not the number 1.5',
      ],
      [
        'a period for the list of them',
        { ...create, boards: [{ key: 'a', periods: 'week' }] },
        'boards.0.periods',
        'must be a list, not the text «week»',
      ],
      [
        'points that are many',
        { ...create, achievements: [{ key: 'a', points: 5000 }] },
        'achievements.0.points',
        'must be at most 1000; it is 5000',
      ],
      [
        'a key that is a title',
        { ...create, boards: [{ key: 'High Scores' }] },
        'boards.0.key',
        'must start with a-z and have at most 40 of a-z, 0-9, _ and -; it is «High Scores»',
      ],
      [
        'a title that is long',
        { ...create, fields: { ...listing, title: 'x'.repeat(500) } },
        'fields.title',
        'must be 1 to 80 characters, not only spaces; it has 500 characters',
      ],
      [
        'what is not there',
        { ...create, files: [{ path: 'index.html', size: 1 }] },
        'files.0.sha256',
        'is missing',
      ],
    ];
    for (const [what, body, path, message] of wrong) {
      it(`says what was expected and what came: ${what}`, async () => {
        const answer = await ada.call('POST', versions, body);
        assert.equal(answer.status, 422);
        assert.deepEqual(answer.json().issues, [{ path, message }]);
        assert.equal(sentenceOf(answer), `«${path}» ${message}.`);
        requireOneEach(answer);
      });
    }

    it('does so in the other bodies, paths and queries', async () => {
      const { version } = await publishFiles(ada, smallGame, { space: slug });
      const finish = await ada.call('POST', `${versions}/${version.id}/finish`, { preview: 'true' });
      assert.equal(sentenceOf(finish), '«preview» must be true or false, not the text «true».');
      const back = await ada.call('POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version: version.id });
      assert.match(sentenceOf(back), /^«version» must be a number, not the text «ver_/u);
      const score = await bySecret('/api/v1/scores', { board: 'points', player: 'ada', score: '42' });
      assert.equal(sentenceOf(score), '«score» must be a number, not the text «42».');
      const stat = await bySecret('/api/v1/stats', { stat: 'dots', player: 'ada', value: null });
      assert.equal(sentenceOf(stat), '«value» must be a number, not null.');
      const page = await ada.call('PATCH', `/api/spaces/${slug}`, { page: { unlisted: 'yes' } });
      assert.equal(sentenceOf(page), '«page.unlisted» must be true or false, not the text «yes».');
      const wait = await ada.call('GET', `${versions}/${version.id}?wait=abc`);
      assert.equal(
        sentenceOf(wait),
        '«wait» must be a whole number from 0 to 30 in plain digits; it is «abc».',
      );
      const list = await ada.call('POST', versions, [create]);
      assert.equal(sentenceOf(list), 'The body must be an object, not a list.');
      const none = await ada.call('POST', versions);
      assert.equal(sentenceOf(none), 'The body is missing.');
    });

    it('repeats no long text, and none of a secret', async () => {
      const long = 'y'.repeat(100_000);
      const bodies = [
        { ...create, spa: long },
        { ...create, entry: long },
        { ...create, [long]: 1 },
        { ...create, fields: { ...listing, [long]: 1 } },
        { ...create, boards: [{ key: long }] },
        Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field_${index}`, 1])),
      ];
      for (const body of bodies) {
        const answer = await ada.call('POST', versions, body);
        assert.equal(answer.status, 422);
        assert.ok(answer.body.length < 40_000, `${answer.body.length} bytes`);
      }
      const login = await nameless.call('POST', '/api/account/claim', { claim_token: 12_345_678 });
      assert.match(sentenceOf(login), /«claim_token» must be text/u);
      assert.doesNotMatch(login.text(), /12345678/u);
    });
  });

  describe('with a number that is none', () => {
    it('is no id of a submission', async () => {
      for (const id of ['1e3', '0x1', '-1', '0', '1.5', '+1', '01', 'one', '%20', '9'.repeat(40)]) {
        const answer = await ada.call('DELETE', `/api/spaces/${slug}/scores/${id}`);
        assert.deepEqual([answer.status, answer.json().error], [400, 'invalid'], id);
      }
      for (const id of ['1', '1000']) {
        const answer = await ada.call('DELETE', `/api/spaces/${slug}/scores/${id}`);
        assert.deepEqual([answer.status, answer.json().error], [404, 'not_found'], id);
      }
    });

    it('is no number of a query', async () => {
      for (const limit of ['1e1', '0x10', '', ' 5', '5.0']) {
        const answer = await ada.call('GET', `/api/gallery?limit=${encodeURIComponent(limit)}`);
        assert.deepEqual([answer.status, answer.json().error], [422, 'invalid'], limit);
      }
      assert.equal((await ada.call('GET', '/api/gallery?limit=5')).status, 200);
    });
  });

  describe('about a player', () => {
    it('refuses a ban of what is no handle, or of oneself', async () => {
      const bans = `/api/spaces/${slug}/bans`;
      for (const method of ['POST', 'DELETE']) {
        for (const body of [
          { handle: 5 },
          { handle: 'a b' },
          { handle: '@' },
          { handle: '' },
          {},
          [],
          { player: 'x' },
        ]) {
          const answer = await ada.call(method, bans, body);
          assert.deepEqual([answer.status, answer.json().error], [422, 'invalid'], JSON.stringify(body));
          assert.ok(answer.json().issues.length > 0);
          requireOneEach(answer);
        }
        const nobody = await ada.call(method, bans, { handle: '@nobody_here' });
        assert.deepEqual([nobody.status, nobody.json().error], [404, 'no_such_player']);
      }
    });
  });

  describe('with a path that no file may have', () => {
    for (const path of ['a\u0000b.js', 'a\u0001b.js', 'a\ud800b.js', 'x'.repeat(2_000)]) {
      it(`is invalid_files: ${JSON.stringify(path).slice(0, 20)}`, async () => {
        const entry = { ...files[0], path };
        const answer = await ada.call('POST', versions, { ...create, files: [...files, entry] });
        assert.deepEqual([answer.status, answer.json().code], [422, 'invalid_files']);
        assert.equal(answer.json().paths.length, 1);
        assert.equal(answer.json().issues[0].path, `files.${files.length}.path`);
      });
    }
  });

  describe('says what to do next', () => {
    const anonymousPage = async () => (await service.anonymous.call('POST', versions, create)).json();
    /** Each is a call, the code of its answer, and what its next step says. */
    const calls: [string, () => Promise<RawAnswer>, string, RegExp][] = [
      ['publish without a handle', () => nameless.call('POST', versions, create), 'no_handle', /\/handle/u],
      [
        'claim without a handle',
        async () =>
          nameless.call('POST', '/api/account/claim', { claim_token: (await anonymousPage()).claimToken }),
        'claim_no_profile',
        /\/handle/u,
      ],
      [
        'no token',
        () => service.anonymous.call('GET', '/api/agent/me'),
        'unauthorized',
        /POST \S+\/api\/agent\/login/u,
      ],
      [
        'a token that is wrong',
        () => service.anonymous.call('GET', '/api/spaces', undefined, { authorization: 'Bearer x' }),
        'unauthorized',
        /POST \S+\/api\/agent\/login/u,
      ],
      [
        'a claim token for an API token',
        async () =>
          service.anonymous.call('POST', versions, create, {
            authorization: `Bearer ${(await anonymousPage()).claimToken}`,
          }),
        'unauthorized',
        /x-service-claim/u,
      ],
      [
        'a board secret for an API token',
        () => service.anonymous.call('GET', '/api/spaces', undefined, { authorization: `Bearer ${secret}` }),
        'unauthorized',
        /POST \S+\/api\/v1\/scores/u,
      ],
      [
        'an API token for a board secret',
        () => ada.call('POST', '/api/v1/scores', { board: 'points', player: 'ada', score: 1 }),
        'unauthorized',
        /POST \S+\/secret/u,
      ],
      [
        'a claim by API token',
        () => ada.call('POST', '/api/account/claim', { claim_token: 'x' }),
        'unauthorized',
        /\/claim#.*«claim»/u,
      ],
      [
        'a field of the wrong place',
        () => ada.call('POST', versions, { title: 'Moon', files }),
        'invalid_request',
        /\/docs\/api#createVersion/u,
      ],
      [
        'a page that is nowhere',
        () => service.anonymous.call('GET', '/api/v1/spaces'),
        'not_found',
        /\/api\/openapi\.json/u,
      ],
      [
        'another method',
        () => ada.call('PUT', versions, create),
        'method_not_allowed',
        /POST \S+\/hosting\/versions/u,
      ],
      [
        'a space that is not there',
        () => ada.call('GET', '/api/spaces/nothing-here'),
        'not_found',
        /GET \S+\/api\/spaces lists/u,
      ],
      [
        'a version that is not there',
        () => ada.call('GET', `${versions}/ver_nothing`),
        'not_found',
        /\/versions lists/u,
      ],
      [
        'a form',
        () =>
          ada.call('POST', versions, 'title=Moon', { 'content-type': 'application/x-www-form-urlencoded' }),
        'invalid_request',
        /JSON object/u,
      ],
      [
        'a multipart body',
        () => ada.call('POST', versions, '--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }),
        'invalid_request',
        /PUT.*«uploads»/u,
      ],
      [
        'a listing of a private page',
        () => ada.call('POST', '/api/spaces', { ...listing, url: 'http://127.0.0.1:8099/' }),
        'invalid',
        /folder.*\/llms\.txt/u,
      ],
      ['no listing fields', () => ada.call('POST', versions, { files }), 'missing_fields', /"space_type"/u],
      [
        'a trigger without its stat',
        () =>
          ada.call('PUT', `/api/spaces/${slug}/achievements`, {
            achievements: [{ key: 'a', trigger: { stat: 'dots', atLeast: 1 } }],
          }),
        'unknown_stat',
        /«stats»/u,
      ],
      [
        'a board that is not there',
        () => bySecret('/api/v1/scores', { board: 'nothing', player: 'ada', score: 1 }),
        'not_found',
        /\/boards/u,
      ],
      [
        'a player without an account',
        () => bySecret('/api/v1/scores', { board: 'points', player: 'nobody_here', score: 1 }),
        'no_such_player',
        /\/handle/u,
      ],
      [
        'a file over what one without an account may have',
        () => service.anonymous.call('POST', versions, { ...create, files: [{ ...files[0], size: 5_000 }] }),
        'too_large',
        /An account may do more/u,
      ],
      [
        'a device code that is none',
        () => service.anonymous.call('POST', '/api/agent/token', { device_code: 'x' }),
        'invalid_grant',
        /POST \S+\/api\/agent\/login/u,
      ],
      [
        'a claim token that is none',
        () => service.anonymous.call('GET', `${versions}/ver_x`, undefined, { 'x-service-claim': 'x' }),
        'claim_not_found',
        /POST \S+\/hosting\/versions/u,
      ],
    ];
    for (const [what, call, code, step] of calls) {
      it(what, async () => {
        const answer = await call();
        assert.equal(codeOf(answer), code, answer.text());
        const { next } = answer.json();
        assert.match(next, step);
        assert.doesNotMatch(next, /undefined|sp_claim_|sp_token_|sp_secret_/u);
        await requireAddresses(service, next);
      });
    }

    it('an account lifts the limit of those without one', async () => {
      let last: RawAnswer;
      do last = await service.anonymous.call('POST', versions, create);
      while (last.status === 201);
      assert.equal(codeOf(last), 'rate_limited');
      assert.match(last.json().next, /An account may do more: POST/u);
      assert.equal((await ada.call('POST', versions, create)).status, 201);
    });
  });
});

describe('what to do next', () => {
  let service: TestService;
  let ada: Persona;
  before(async () => {
    service = await startService();
    ada = await service.creator('ada');
  });
  after(() => service.close());

  const finish = (who: Pick<Persona, 'call'>, id: string, body: unknown) =>
    who.call('POST', `${versions}/${id}/finish`, body);

  it('makes what was a preview live, when it is followed', async () => {
    const { version, space } = await publishFiles(ada, smallGame);
    const asked = (await finish(ada, version.id, { preview: false })).json();
    assert.equal(asked.status, 'preview');
    assert.match(asked.next, /stays a preview.* publish the same files again .*"preview": false/u);
    await requireAddresses(service, asked.next);
    const back = await ada.call('POST', `/api/v1/hosting/spaces/${space.slug}/rollback`, { version: 1 });
    assert.equal(back.json().code, 'not_allowed');
    assert.match(back.json().next, /"preview": false/u);

    const again = (await ada.call('POST', versions, { space: space.slug, files })).json();
    assert.deepEqual(again.uploads, []);
    const finished = (await finish(ada, again.version.id, { preview: false })).json();
    assert.deepEqual([finished.status, finished.next], ['checking', undefined]);
    await service.settle();
    assert.equal((await ada.call('GET', `${versions}/${again.version.id}`)).json().status, 'live');
  });

  it('gives fresh links for old ones and for files that were not sent', async () => {
    const created = (
      await ada.call('POST', versions, { fields: listing, files: fileEntries({ 'index.html': 'new' }) })
    ).json();
    const early = (await finish(ada, created.version.id, {})).json();
    assert.equal(early.code, 'missing_uploads');
    await requireAddresses(service, early.next);
    const { url } = created.uploads[0];
    const refused = await putFile(service, `${url}x`, 'new');
    assert.equal(refused.json().code, 'link_expired');
    await requireAddresses(service, refused.json().next);
    const wrongMethod = await ada.call('POST', new URL(url).pathname, 'new', { 'content-type': 'text/html' });
    assert.deepEqual([wrongMethod.status, wrongMethod.json().code], [405, 'method_not_allowed']);
    assert.match(wrongMethod.json().next, /^PUT /u);

    const [, address = ''] = /POST ([^\s,]+)/u.exec(refused.json().next) ?? [];
    const fresh = await ada.call('POST', new URL(address).pathname);
    assert.equal((await putFile(service, fresh.json().uploads[0].url, 'new')).status, 200);
    assert.equal((await finish(ada, created.version.id, {})).json().status, 'preview');
  });

  it('names the page that was meant where a folder too many was sent', async () => {
    const nested = fileEntries({ 'dist/index.html': 'a', 'dist/deep/index.html': 'b', 'dist/a.js': 'c' });
    const refused = (await ada.call('POST', versions, { fields: listing, files: nested })).json();
    assert.equal(refused.code, 'no_entry');
    assert.match(refused.error, /there is one at dist\/index\.html/u);
    const [, entry] = /"entry": "([^"]+)"/u.exec(refused.next) ?? [];
    assert.equal((await ada.call('POST', versions, { fields: listing, files: nested, entry })).status, 201);
    const none = (
      await ada.call('POST', versions, { fields: listing, files: fileEntries({ 'a.js': 'c' }) })
    ).json();
    assert.match(none.next, /«entry»/u);
  });

  it('leads from a page without an account to one of an account', async () => {
    const game = { 'index.html': '<p>Somebody else has not published this.</p>' };
    const mine = { fields: listing, files: fileEntries(game) };
    const created = (await service.anonymous.call('POST', versions, mine)).json();
    assert.equal(created.claimUrl, `${service.baseUrl}/claim#${created.claimToken}`);
    const { claimToken: claim, uploads, version } = created;
    await putFile(service, uploads[0].url, game['index.html']);
    const body = { claim, preview: false };
    const refused = (await finish(service.anonymous, version.id, body)).json();
    assert.equal(refused.code, 'sign_in_required');
    await requireAddresses(service, refused.next);
    assert.equal((await finish(ada, version.id, body)).json().status, 'checking');
    const later = await service.anonymous.call('POST', versions, { ...mine, claim });
    assert.equal(later.json().code, 'claim_spent');
    await requireAddresses(service, later.json().next);
    await service.settle();
  });

  it('names the field that a misplaced or misspelt one is', async () => {
    const messageAt = async (body: unknown, at: string) => {
      const answer = await ada.call('POST', versions, body);
      assert.equal(answer.status, 422);
      return answer.json().issues.find(({ path }: { path: string }) => path === at)?.message;
    };
    const misplaced = 'is not a field of this request here; it belongs at fields.title';
    assert.equal(await messageAt({ title: 'Moon', files }, 'title'), misplaced);
    const outward = await messageAt({ ...create, fields: { ...listing, entry: 'a.html' } }, 'fields.entry');
    assert.equal(outward, 'is not a field of this request here; it belongs at entry');
    const meant = (name: string) => `is not a field of this request; did you mean «${name}»?`;
    assert.equal(
      await messageAt({ ...create, fields: { ...listing, devcies: [] } }, 'fields.devcies'),
      meant('devices'),
    );
    assert.equal(
      await messageAt({ ...create, fields: { ...listing, spaceType: '' } }, 'fields.spaceType'),
      meant('space_type'),
    );
    assert.equal(
      await messageAt({ ...create, fields: { ...listing, name: 'x' } }, 'fields.name'),
      meant('title'),
    );
    assert.equal(await messageAt({ ...create, type: 'game' }, 'type'), meant('fields.space_type'));
    const board = await messageAt({ ...create, boards: [{ key: 'a', colour: 1 }] }, 'boards.0.colour');
    assert.match(board, /; there are key, title, metric, sort, /u);
  });

  it('lets a sign-in send its bodies as forms (RFC 8628)', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const { anonymous } = service;
    const login = await anonymous.call('POST', '/api/agent/login', 'client_id=abc&client_name=my+tool', type);
    assert.equal(login.status, 200, login.text());
    const grant = encodeURIComponent('urn:ietf:params:oauth:grant-type:device_code');
    const poll = `grant_type=${grant}&client_id=abc&device_code=${login.json().device_code}`;
    const waiting = await anonymous.call('POST', '/api/agent/token', poll, type);
    assert.deepEqual([waiting.status, waiting.json().error], [400, 'authorization_pending']);
    assert.match(waiting.json().next, /POST \S+\/api\/agent\/token/u);
    const json = { device_code: login.json().device_code };
    const asJson = await anonymous.call('POST', '/api/agent/token', json, type);
    assert.equal(asJson.json().error, 'slow_down');
    const odd = await anonymous.call('POST', '/api/agent/login', 'client_name=%00', type);
    assert.deepEqual([odd.status, odd.json().error], [422, 'invalid']);
    const scoped = await anonymous.call('POST', '/api/agent/login', 'scope=publish+boards', type);
    assert.equal(scoped.status, 200, scoped.text());
    const unknown = await anonymous.call('POST', '/api/agent/login', 'scope=publish+all', type);
    assert.equal(unknown.json().issues[0].path, 'scopes.1');
    const nothing = await anonymous.call('POST', '/api/agent/token', 'client_id=abc', type);
    assert.deepEqual(nothing.json().issues, [{ path: 'device_code', message: 'is missing' }]);
  });

  it('tells an agent in llms.txt when a preview is done', async () => {
    const guide = (await service.get(`${service.baseUrl}/llms.txt`)).text();
    assert.match(guide, /`preview`[^.]*stop/u);
    assert.match(guide, /claimUrl/u);
    assert.match(guide, /`next`/u);
  });
});
