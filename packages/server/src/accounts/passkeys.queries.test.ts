import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../test/service.ts';
import { countPasskeyUse, findPasskey, findPasskeysOf, insertPasskey } from './passkeys.queries.ts';

/**
 * Runs the statements of a browser's passkey ceremony on PostgreSQL too, where no test with a browser runs.
 */
describe('a passkey', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
    await service.creator('ada');
  });
  after(() => service.close());

  it('is found by its credential and its account, and each use is counted once', async () => {
    const { database } = service.service.platform;
    const ada = await database.db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'ada')
      .executeTakeFirstOrThrow();
    const creatorId = ada.id;
    const inserted = {
      name: 'Key',
      public_key: 'a2V5',
      creator_id: creatorId,
      credential_id: 'credential',
      counter: 7,
      device_type: 'multiDevice',
      backed_up: 1,
      transports: 'usb,internal',
      created_at: 1,
      aaguid: null,
    } as const;
    await database.transaction((tx) => insertPasskey(tx, inserted));
    const found = await findPasskey(database.db, 'credential');
    assert.ok(found);
    const { id, ...rest } = found;
    assert.match(id, /^psk_/u);
    assert.deepEqual(rest, {
      creatorId,
      credentialId: 'credential',
      publicKey: 'a2V5',
      counter: 7,
      transports: 'usb,internal',
    });
    assert.deepEqual(await findPasskeysOf(database.db, creatorId), [found]);
    assert.equal(await findPasskey(database.db, 'another'), undefined);

    const use = () => database.transaction((tx) => countPasskeyUse(tx, { id, from: 7, to: 8 }));
    assert.deepEqual([await use(), await use()], [true, false]);
    assert.equal((await findPasskey(database.db, 'credential'))?.counter, 8);
  });
});
