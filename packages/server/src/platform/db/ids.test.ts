import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId } from '../secrets/id.ts';
import { type AccountId, type BoardId, givenId, type PlayerId, type SpaceId, type VersionId } from './ids.ts';
import type { Db } from './schema.ts';

it('an id is accepted only for the kind of thing that it was made for', () => {
  const point = (spaceId: SpaceId, versionId: VersionId): string => `${spaceId} ${versionId}`;
  const [space, version] = [newId('spc'), newId('ver')];
  assert.match(point(space, version), /^spc_\w{16} ver_\w{16}$/u);
  // @ts-expect-error: the other way round
  assert.ok(point(version, space));
  // @ts-expect-error: any text, as a path has it
  assert.ok(point('spc_1', version));
  assert.equal(point(givenId('spc', 'spc_1'), givenId('ver', 'ver_1')), 'spc_1 ver_1');
});

/** Never called: the test is whether the compiler finds the expected errors. */
export function mixUps(db: Db, board: BoardId, version: VersionId) {
  return [
    db.selectFrom('boards').where('id', '=', board),
    // @ts-expect-error: a version's id is no board's
    db.selectFrom('boards').where('id', '=', version),
    // @ts-expect-error: nor is a board's a version's
    db.updateTable('versions').set({ stopped: 1 }).where('id', '=', board),
  ];
}

it('an account’s id is a player’s id, and not every player’s id is an account’s', () => {
  const plays = (playerId: PlayerId): string => playerId;
  const publishes = (creatorId: AccountId): string => creatorId;
  const [account, guest] = [newId('usr'), newId('gst')];
  assert.deepEqual([plays(account), plays(guest)], [account, guest]);
  // @ts-expect-error: a guest publishes nothing
  assert.equal(publishes(guest), guest);
  // @ts-expect-error: a player may be a guest
  assert.equal(publishes(guest as PlayerId), guest);
});
