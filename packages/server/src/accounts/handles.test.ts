import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileEntries, listing, smallGame } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { signUp, visitor } from '../../test/visitor.ts';

describe('choosing a handle', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
  });
  after(() => service.close());

  it('stores the handle in lower case and redirects to the next page', async () => {
    const who = await signUp(service);
    assert.match((await who.get('/settings')).text(), /no handle yet/u);
    const answer = await who.post('/handle', { handle: 'Grace_H', next: '/device' });
    assert.equal(answer.headers.location, '/device');
    assert.match((await who.get('/settings')).text(), /@grace_h/u);
    assert.equal((await who.get('/handle')).headers.location, '/');
  });

  it('is refused beside the field when the handle is invalid, reserved or taken in any case', async () => {
    await service.creator('taken');
    const who = await signUp(service);
    for (const [handle, text] of [
      ['ab', />Write a handle: 3 to 24 /u],
      ['9lives', />Write a handle: 3 to 24 /u],
      ['Admin', /reserved word/u],
      ['TAKEN', /is taken/u],
    ] as const) {
      const answer = await who.post('/handle', { handle });
      assert.equal(answer.status, 422);
      assert.match(answer.text(), text);
      assert.match(answer.text(), /aria-invalid="true"/u);
    }
    assert.match((await who.get('/settings')).text(), /no handle yet/u);
  });

  it('is possible once', async () => {
    const who = await signUp(service, { handle: 'onlyone' });
    const again = await who.post('/handle', { handle: 'another' });
    assert.equal(again.status, 409);
    assert.match((await who.get('/settings')).text(), /@onlyone/u);
  });

  it('gives a handle to one of several accounts that choose it at once', async () => {
    const people = await Promise.all([1, 2, 3].map(() => signUp(service)));
    const answers = await Promise.all(people.map((who) => who.post('/handle', { handle: 'wanted' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422, 422]);
  });

  it('gives an account one handle when it chooses several at once', async () => {
    const who = await signUp(service);
    const answers = await Promise.all(
      ['either_one', 'or_the_other'].map((handle) => who.post('/handle', { handle })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409]);
  });

  it('is required before publishing, and takes effect at once', async () => {
    const who = await signUp(service);
    const create = () =>
      who.call('POST', '/api/v1/hosting/versions', { fields: listing, files: fileEntries(smallGame) });
    const refused = await create();
    assert.equal(refused.status, 403);
    assert.equal(refused.json().code, 'no_handle');
    await who.post('/handle', { handle: 'publisher' });
    assert.equal((await create()).status, 201);
  });

  it('needs a signed-in account', async () => {
    const nobody = visitor(service);
    assert.equal((await nobody.get('/handle')).headers.location, '/sign-in?next=%2Fhandle');
    assert.equal((await nobody.post('/handle', { handle: 'nobody_1' })).headers.location, '/sign-in');
  });
});
