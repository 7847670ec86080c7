import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileEntries, listing, publishFiles, publishLive, putFile, smallGame } from '../../../test/files.ts';
import { requireAddresses } from '../../../test/named-addresses.ts';
import type { RawAnswer } from '../../../test/raw-http.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';
import { type SignedUp, signUp } from '../../../test/visitor.ts';
import '../../../test/one-engine.ts';

const versions = '/api/v1/hosting/versions';
const files = fileEntries(smallGame);
const create = { fields: listing, files };

describe('the next step in an answer', () => {
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
  const codeOf = (answer: RawAnswer): string => answer.json().code ?? answer.json().error;
  const finish = (who: Pick<Persona, 'call'>, id: string, body: unknown) =>
    who.call('POST', `${versions}/${id}/finish`, body);

  const anonymousPage = async () => (await service.anonymous.call('POST', versions, create)).json();
  /** For each call: its name, the call, the code of its answer, and the text of its next step. */
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
      /\/docs\/api\/hosting\/createVersion\.md$/u,
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
      'a host name where the service offers none',
      () => ada.call('PUT', '/api/spaces/moon-hopper/domain', { host: 'games.example.org' }),
      'conflict',
      /operator .*\/s\/moon-hopper stays/u,
    ],
    [
      'a form',
      () => ada.call('POST', versions, 'title=Moon', { 'content-type': 'application/x-www-form-urlencoded' }),
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
    [
      'a file over the limit of every publish',
      () => ada.call('POST', versions, { ...create, files: [{ ...files[0], size: 10 ** 12 }] }),
      'too_large',
      /^Compress .* operator/u,
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

  it('publishes a preview as a live version when it is followed', async () => {
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

  it('names the call for fresh links, for expired links and for missing files', async () => {
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

  it('names the entry when the files are in a folder too many', async () => {
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

  it('names the only page as the entry when it has another name', async () => {
    const godot = fileEntries({ 'Moon.html': 'a', 'Moon.js': 'c', 'help/index.htm': 'b' });
    const refused = (await ada.call('POST', versions, { fields: listing, files: godot })).json();
    assert.match(refused.error, /the page that opens; there is the page Moon\.html\.$/u);
    const [, entry] = /^Send "entry": "([^"]+)": POST /u.exec(refused.next) ?? [];
    assert.equal((await ada.call('POST', versions, { fields: listing, files: godot, entry })).status, 201);
  });

  it('leads from a page without an account to publishing with an account', async () => {
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

  it('is in llms.txt together with when an agent should stop', async () => {
    const guide = (await service.get(`${service.baseUrl}/llms.txt`)).text();
    assert.match(guide, /`preview`[^.]*stop/u);
    assert.match(guide, /claimUrl/u);
    assert.match(guide, /`next`/u);
  });

  it('of the limit without an account is to sign in, which lifts it', async () => {
    let last: RawAnswer;
    do last = await service.anonymous.call('POST', versions, create);
    while (last.status === 201);
    assert.equal(codeOf(last), 'rate_limited');
    assert.match(last.json().next, /An account may do more: POST/u);
    assert.equal((await ada.call('POST', versions, create)).status, 201);
  });
});
