import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '@spaceport/client/client';
import { publish } from '@spaceport/client/publish';
import { claimHeader } from '@spaceport/contract/versions';
import { hostingCodeOf } from '../../test/answers.ts';
import { zipOf } from '../../test/archives.ts';
import { fileEntries, putFile, sha256, sourceFiles } from '../../test/files.ts';
import { as, oneCalls } from '../../test/one-call.ts';
import { startService, type TestService } from '../../test/service.ts';
import { fields, files, withoutAccount } from '../../test/without-account.ts';
import { issueSecret } from '../platform/secrets/secret.ts';

const path = '/api/v1/hosting/versions';

describe('publishing without an account', () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      environment: {
        ANONYMOUS_PUBLISHES_PER_HOUR: '1000',
        ANONYMOUS_MAX_FILE_BYTES: '500',
        ANONYMOUS_MAX_VERSION_BYTES: '800',
      },
    });
  });
  after(() => service.close());

  const { anonymous, published, withClaim } = withoutAccount(() => service);

  it('creates an unlisted page with a claim token, shown at an origin of its own', async () => {
    const page = await published('first words');
    assert.match(page.claim, /^sp_claim_/u);
    assert.match(page.space.slug, /^[0-9a-z]{26}$/u);
    assert.equal(page.pageUrl, `${service.baseUrl}/s/${page.space.slug}`);
    const days = (Date.parse(page.expiresAt) - service.clock.now()) / 86_400_000;
    assert.ok(days > 6.99 && days <= 7, String(days));
    const shown = await service.get(page.space.url);
    assert.match(shown.text(), /first words/u);
    assert.equal(shown.headers['x-robots-tag'], 'noindex');
    assert.match((await service.get(page.previewUrl)).text(), /first words/u);
    const claim = await withClaim('GET', '/api/v1/hosting/claim', page.claim);
    assert.deepEqual(claim.json(), { pageUrl: page.pageUrl, expiresAt: page.expiresAt });
  });

  it('continues with the claim token: a later version is shown instead, and no second token is issued', async () => {
    const page = await published('one');
    const created = await anonymous.call('POST', path, {
      files: fileEntries(files('two')),
      claim: page.claim,
    });
    assert.equal(created.status, 201, created.text());
    const { version, space, claimToken, expiresAt, uploads } = created.json();
    assert.deepEqual(
      [version.number, space.slug, claimToken, expiresAt],
      [2, page.space.slug, undefined, page.expiresAt],
    );
    const missing = await withClaim('GET', `${path}/${version.id}`, page.claim);
    assert.deepEqual(missing.json().missing, ['index.html']);
    const fresh = await withClaim('POST', `${path}/${version.id}/uploads`, page.claim);
    assert.equal(fresh.json().uploads.length, uploads.length);
    await putFile(service, uploads[0].url, files('two')['index.html']);
    await anonymous.call('POST', `${path}/${version.id}/finish`, { claim: page.claim });
    assert.match((await service.get(page.space.url)).text(), /two/u);
  });

  it('works with the client package', async () => {
    const claims: (string | undefined)[] = [];
    const onCreated = ({ claimToken }: { claimToken?: string | undefined }) => void claims.push(claimToken);
    const source = (mark: string) => ({ files: sourceFiles({ 'index.html': mark }) });
    const newcomer = createClient({ baseUrl: service.baseUrl, retry: false });
    const first = await publish(newcomer, {
      source: source('by the client'),
      details: { fields },
      onCreated,
    });
    assert.equal(first.outcome, 'preview');
    const holder = createClient({ baseUrl: service.baseUrl, claim: claims[0], retry: false });
    const second = await publish(holder, { source: source('by the client again'), details: {}, onCreated });
    assert.deepEqual(
      [second.outcome, second.space.slug, second.version.number],
      ['preview', first.space.slug, 2],
    );
    assert.deepEqual(
      claims.map((claim) => typeof claim),
      ['string', 'undefined'],
    );
  });

  it('never makes a version live', async () => {
    const page = await published();
    const answer = await anonymous.call('POST', `${path}/${page.id}/finish`, {
      preview: false,
      claim: page.claim,
    });
    assert.deepEqual([answer.status, answer.json().code], [403, 'sign_in_required']);
  });

  it('is refused from a page of another site', async () => {
    const body = { fields, files: fileEntries(files('x')) };
    const page = await published();
    const others: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
    ];
    for (const headers of others) {
      const answer = await anonymous.call('POST', path, body, headers);
      assert.deepEqual([answer.status, answer.json().code], [403, 'cross_site'], JSON.stringify(headers));
      // Later calls with a claim token are refused too, wherever the token is in the request.
      for (const [where, sent] of [
        [path, { ...body, fields: undefined, claim: page.claim }],
        [`${path}/${page.id}/finish`, { claim: page.claim }],
        [`${path}/${page.id}/uploads`, undefined],
      ] as const) {
        const later = await anonymous.call('POST', where, sent, { ...headers, [claimHeader]: page.claim });
        assert.deepEqual([later.status, later.json().code], [403, 'cross_site'], where);
      }
      const read = await anonymous.call('GET', `${path}/${page.id}`, undefined, {
        ...headers,
        [claimHeader]: page.claim,
      });
      assert.equal(read.status, 200, read.text());
    }
    const own: Record<string, string>[] = [{ 'sec-fetch-site': 'same-origin' }, { origin: service.baseUrl }];
    for (const headers of own) assert.equal((await anonymous.call('POST', path, body, headers)).status, 201);
  });

  it('has lower limits', async () => {
    const big = { fields, files: [{ path: 'index.html', size: 501, sha256: sha256('big') }] };
    const answer = await anonymous.call('POST', path, big);
    assert.deepEqual([answer.status, answer.json().code], [413, 'too_large']);
    const dry = await anonymous.call('POST', path, { fields, files: fileEntries(files('y')), dryRun: true });
    assert.equal(dry.json().limits.maxFileBytes, 500);
  });

  it('has the limits of an account for one that sends the claim token along', async () => {
    const page = await published();
    const creator = await service.creator();
    const big = { 'index.html': 'x'.repeat(501) };
    const body = { files: fileEntries(big), claim: page.claim };
    const dry = await creator.call('POST', path, { ...body, dryRun: true });
    assert.equal(dry.status, 200, dry.text());
    assert.ok(dry.json().limits.maxFileBytes > 500);
    const { send } = oneCalls(() => service);
    const inOneCall = await send(zipOf(big), {}, as(creator, { [claimHeader]: page.claim }));
    assert.equal(inOneCall.status, 201, inOneCall.text());
  });

  it('needs the right token for every call', async () => {
    const page = await published();
    const other = await published();
    const wrong = issueSecret('claim');
    for (const [claim, status, code] of [
      [wrong, 404, 'claim_not_found'],
      ['nonsense', 404, 'claim_not_found'],
      [issueSecret('token'), 401, 'unauthorized'],
    ] as const) {
      const read = await withClaim('GET', '/api/v1/hosting/claim', claim);
      assert.deepEqual([read.status, read.json().code], [status, code]);
      const create = await anonymous.call('POST', path, { fields, files: fileEntries(files('x')), claim });
      assert.deepEqual([create.status, create.json().code], [status, code]);
    }
    for (const caller of [anonymous, await service.creator()]) {
      const refused = await caller.call('GET', '/api/v1/hosting/claim');
      assert.equal(refused.status, 401);
      assert.match(refused.json().error, /^A claim token is needed: .* x-service-claim/u);
    }
    assert.deepEqual(hostingCodeOf(await anonymous.call('GET', `${path}/${page.id}`)), [401, 'unauthorized']);
    const foreign = await withClaim('GET', `${path}/${page.id}`, other.claim);
    assert.deepEqual(hostingCodeOf(foreign), [404, 'not_found']);
    const elsewhere = await anonymous.call('POST', path, {
      space: other.space.slug,
      files: fileEntries(files('x')),
      claim: page.claim,
    });
    assert.equal(elsewhere.json().code, 'not_owner');
    const nameless = await anonymous.call('POST', path, {
      space: other.space.slug,
      files: fileEntries(files('x')),
    });
    assert.equal(nameless.json().code, 'unauthorized');
  });

  it('ends after a week: page, versions and files are deleted, and the token’s answer says why', async () => {
    const page = await published('short lived');
    service.clock.advance({ days: 7, seconds: 1 });
    assert.equal((await service.get(page.space.url)).status, 410);
    for (const answer of [
      await withClaim('GET', '/api/v1/hosting/claim', page.claim),
      await anonymous.call('POST', path, { files: fileEntries(files('z')), claim: page.claim }),
    ]) {
      assert.deepEqual([answer.status, answer.json().code], [410, 'claim_expired']);
    }
    const creator = await service.creator();
    const late = await creator.call('POST', path, { files: fileEntries(files('z')), claim: page.claim });
    assert.deepEqual([late.status, late.json().code], [410, 'claim_expired']);
    await service.service.sweep();
    service.clock.advance({ days: 1, seconds: 1 });
    await service.service.sweep();
    service.clock.advance({ days: 1, seconds: 1 });
    await service.service.sweep();
    const { db } = service.service.platform.database;
    assert.deepEqual(
      await db.selectFrom('spaces').select('id').where('slug', '=', page.space.slug).execute(),
      [],
    );
    assert.deepEqual(
      await db
        .selectFrom('blobs')
        .select('hash')
        .where('hash', '=', sha256(files('short lived')['index.html']))
        .execute(),
      [],
    );
    assert.equal((await service.get(page.space.url)).status, 410);
    const again = await withClaim('GET', '/api/v1/hosting/claim', page.claim);
    assert.equal(again.json().code, 'claim_expired');
  });

  it('answers 410 at every address after the end, also from memory, and after the sweep', async () => {
    const page = await published('to the last moment');
    const end = Date.parse(page.expiresAt);
    const until = (instant: number) =>
      service.clock.advance({ seconds: (instant - service.clock.now()) / 1000 });
    until(end - 3_600_000);
    const created = await anonymous.call('POST', path, {
      files: fileEntries(files('to the last moment')),
      claim: page.claim,
    });
    const finish = () =>
      anonymous.call('POST', `${path}/${created.json().version.id}/finish`, { claim: page.claim });
    const { previewUrl } = (await finish()).json();
    const second = await published('another');
    const addresses = [page.space.url, previewUrl, `${previewUrl}index.html`, page.pageUrl];
    // This is so late that the sites are still cached at the end.
    until(end - 25_000);
    for (const address of addresses) assert.equal((await service.get(address)).status, 200, address);
    until(end);
    for (const forget of [false, true]) {
      // Forgetting the caches simulates a node that has had no request before.
      if (forget) service.service.platform.database.announcements.deliver(['space:*', 'preview:*']);
      for (const address of addresses) assert.equal((await service.get(address)).status, 410, address);
    }
    await service.service.sweep();
    for (const address of addresses) assert.equal((await service.get(address)).status, 410, address);
    assert.equal((await service.get(second.space.url)).status, 200, 'it has days left');
  });

  it('keeps and claims nothing in a dry run', async () => {
    const page = await published('tried');
    const creator = await service.creator();
    const body = { files: fileEntries(files('tried')), claim: page.claim, dryRun: true };
    for (const answer of [await creator.call('POST', path, body), await anonymous.call('POST', path, body)]) {
      assert.equal(answer.status, 200, answer.text());
      assert.deepEqual(answer.json().diff, { added: [], changed: [], removed: [], unchanged: 1 });
    }
    assert.equal((await withClaim('GET', '/api/v1/hosting/claim', page.claim)).status, 200, 'not claimed');
    await creator.call('POST', path, { ...body, dryRun: false });
    const owner = await creator.call('POST', path, body);
    assert.equal(owner.status, 200, owner.text());
  });
});

describe('the limit on publishes without an account', () => {
  it('counts by network address', async () => {
    const service = await startService({
      environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '3', TRUST_PROXY: 'true' },
    });
    try {
      const create = (address: string) =>
        service.anonymous.call(
          'POST',
          path,
          { fields, files: fileEntries({ 'index.html': 'x' }) },
          { 'x-forwarded-for': address },
        );
      const answers = await Promise.all(Array.from({ length: 8 }, () => create('203.0.113.7')));
      assert.equal(answers.filter(({ status }) => status === 201).length, 3);
      assert.equal(answers.find(({ status }) => status === 429)?.json().code, 'rate_limited');
      assert.equal(
        (await create('198.51.100.1, 203.0.113.7')).status,
        429,
        'what a client writes is not believed',
      );
      assert.equal((await create('203.0.113.8')).status, 201);
      for (const [index, status] of [201, 201, 201, 429].entries()) {
        assert.equal((await create(`2001:db8:1:2::${index + 1}`)).status, status, 'one household has a /64');
      }
    } finally {
      await service.close();
    }
  });
});
