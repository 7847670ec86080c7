import assert from 'node:assert/strict';
import { postGuestStat, unlockForGuest } from '../src/guests/guest-progress.ts';
import { keepGuestScore } from '../src/guests/guest-scores.ts';
import { ensureGuest, hashGuestKey } from '../src/guests/guests.ts';
import type { Platform } from '../src/platform/context.ts';
import { givenId } from '../src/platform/db/ids.ts';
import type { Arena } from './arena.ts';
import type { PlayingVisitor } from './played.ts';

let hosts = 0;

/** Plays as a guest in a space, with a page's calls. Each call of this function uses another address. */
export async function guestDeeds(platform: Platform, guest: { key: string }, place: Arena) {
  const keyHash = hashGuestKey(guest.key) ?? '';
  const guestId = await ensureGuest(platform, { keyHash, address: `192.0.2.${++hosts % 250}` });
  const at = { guestId, spaceId: place.spaceId, env: 'live' as const };
  const boards = await platform.database.db
    .selectFrom('boards')
    .select(['id', 'key', 'sort', 'keep', 'periods', 'ranked_as'])
    .where('space_id', '=', place.spaceId)
    .where('env', '=', 'live')
    .execute();
  return {
    guestId,
    stat: (stat: string, value: number) =>
      platform.database.transaction((tx) => postGuestStat(tx, at, { stat, value })),
    unlock: (key: string) => platform.database.transaction((tx) => unlockForGuest(tx, at, key)),
    score: (key: string, score: number) => {
      const board = boards.find((one) => one.key === key);
      assert.ok(board);
      const played = {
        meta: { from: 'a guest' },
        version: 1,
        session: givenId('play', 'the-session'),
        run: givenId('run', `run-${++hosts}`),
      };
      return platform.database.transaction((tx) => keepGuestScore(tx, { guestId, board, score, ...played }));
    },
  };
}

/** Writes a slot without knowing its content. Returns the new version. */
export async function writeSave(who: PlayingVisitor, place: Arena, slot: string, data: unknown) {
  const path = `/api/player/saves/${slot}?space=${place.slug}`;
  const answer = await who.call('PUT', path, { data, device: 'here' });
  assert.equal(answer.status, 200, answer.text());
  return answer.json().version as number;
}

export async function readSave(who: PlayingVisitor, place: Arena, slot: string) {
  return (await who.call('GET', `/api/player/saves/${slot}?space=${place.slug}`)).json().data;
}
