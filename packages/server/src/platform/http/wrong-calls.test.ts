import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../../test/answers.ts';
import { fileEntries, listing, publishFiles, publishLive, smallGame } from '../../../test/files.ts';
import type { RawAnswer } from '../../../test/raw-http.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';
import { type SignedUp, signUp } from '../../../test/visitor.ts';
import '../../../test/one-engine.ts';

const versions = '/api/v1/hosting/versions';
const files = fileEntries(smallGame);
const create = { fields: listing, files };

/** Mistakes of a caller who knows only what the service serves. */
describe('a wrong call', () => {
  let service: TestService;
  let ada: Persona;
  let nameless: SignedUp;
  let slug: string;
  let secret: string;
  before(async () => {
    service = await startService();
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

  /** Asserts that each field is named once, and that no word comes from the validator. */
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
      it(`says what was expected and what was sent: ${what}`, async () => {
        const answer = await ada.call('POST', versions, body);
        assert.equal(answer.status, 422);
        assert.deepEqual(answer.json().issues, [{ path, message }]);
        assert.equal(sentenceOf(answer), `«${path}» ${message}.`);
        requireOneEach(answer);
      });
    }

    it('says so in other bodies, in paths and in queries too', async () => {
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

    it('repeats no long text, and nothing of a secret', async () => {
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

  describe('with an invalid number', () => {
    it('is refused for the id of a submission', async () => {
      for (const id of ['1e3', '0x1', '-1', '0', '1.5', '+1', '01', 'one', '%20', '9'.repeat(40)]) {
        const answer = await ada.call('DELETE', `/api/spaces/${slug}/scores/${id}`);
        assert.deepEqual([answer.status, answer.json().error], [400, 'invalid'], id);
      }
      for (const id of ['1', '1000']) {
        const answer = await ada.call('DELETE', `/api/spaces/${slug}/scores/${id}`);
        assert.deepEqual([answer.status, answer.json().error], [404, 'not_found'], id);
      }
    });

    it('is refused for a number in a query', async () => {
      for (const limit of ['1e1', '0x10', '', ' 5', '5.0']) {
        const answer = await ada.call('GET', `/api/gallery?limit=${encodeURIComponent(limit)}`);
        assert.deepEqual([answer.status, answer.json().error], [422, 'invalid'], limit);
      }
      assert.equal((await ada.call('GET', '/api/gallery?limit=5')).status, 200);
    });
  });

  describe('about a player', () => {
    it('refuses a ban of an invalid handle or of the caller', async () => {
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

  it('names the right field for a misplaced or misspelt one', async () => {
    const messageAt = async (body: unknown, at: string) => {
      const answer = await ada.call('POST', versions, body);
      assert.equal(answer.status, 422);
      return answer.json().issues.find(({ path }: { path: string }) => path === at)?.message;
    };
    const misplaced = 'is not a field of this request here; it belongs at fields.title';
    assert.equal(await messageAt({ title: 'Moon', files }, 'title'), misplaced);
    const outward = await messageAt({ ...create, fields: { ...listing, entry: 'a.html' } }, 'fields.entry');
    assert.equal(outward, 'is not a field of this request here; it belongs at entry');
    const refused = await ada.call('POST', versions, { ...create, filse: [] });
    assert.match(refused.json().error, /did you mean «files»\?$/u);
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

  it('has no fields if the operation takes no body', async () => {
    const { version } = await publishFiles(ada, smallGame);
    const preview = (body: unknown) => ada.call('POST', `${versions}/${version.id}/preview`, body);
    const refused = await preview({ minutes: 5 });
    assert.deepEqual([refused.status, refused.json().code], [422, 'invalid_request']);
    assert.deepEqual(refused.json().issues, [{ path: 'minutes', message: 'is not a field of this request' }]);
    assert.deepEqual(hostingCodeOf(await preview([])), [422, 'invalid_request']);
    for (const body of [undefined, {}, 'null']) assert.equal((await preview(body)).status, 200);
    const { anonymous } = service;
    const { version: of, claimToken: claim } = (await anonymous.call('POST', versions, create)).json();
    assert.equal((await anonymous.call('POST', `${versions}/${of.id}/uploads`, { claim })).status, 200);
  });

  it('can use forms for the bodies of a device sign-in (RFC 8628)', async () => {
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
});
