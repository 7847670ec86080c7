import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isSame } from '@spaceport/contract/storage-mirror';
import fc from 'fast-check';
import {
  adopted,
  begun,
  changed,
  type Kept,
  nothingKept,
  reconcile,
  refused,
  sent,
  type Theirs,
  taken,
} from './kept-rules.ts';

const theirs = (level: string, version: number, at: number): Theirs => ({
  entries: new Map([['level', level]]),
  version,
  at,
  device: 'Chrome on Android',
});
const played = (kept: Kept, level: string, at: number) => changed(kept, [['level', level]], at);

describe('the copy that a space starts with', () => {
  test('is empty when neither side has one, or when the account’s was deleted elsewhere', () => {
    assert.equal(reconcile(null, null).stands, 'nothing');
    assert.equal(reconcile(taken(theirs('3', 10, 1)), null).stands, 'nothing');
  });

  test('is the browser’s when the account never got it', () => {
    assert.deepEqual(reconcile(played(nothingKept, '1', 5), null), { stands: 'mine', isConflict: false });
  });

  test('is the account’s when nothing was changed here', () => {
    const mine = taken(theirs('3', 10, 1));
    assert.deepEqual(reconcile(mine, theirs('4', 12, 0)), { stands: 'theirs', isConflict: false });
    assert.deepEqual(reconcile(null, theirs('4', 12, 0)), { stands: 'theirs', isConflict: false });
  });

  test('is the browser’s when it was changed from the account’s current copy', () => {
    const mine = played(taken(theirs('3', 10, 1)), '4', 2);
    assert.deepEqual(reconcile(mine, theirs('3', 10, 9)), { stands: 'mine', isConflict: false });
  });

  test('is the newer of two that were both changed, which is a conflict', () => {
    const mine = played(taken(theirs('3', 10, 1)), '4', 50);
    assert.deepEqual(reconcile(mine, theirs('5', 12, 49)), { stands: 'mine', isConflict: true });
    assert.deepEqual(reconcile(mine, theirs('5', 12, 50)), { stands: 'theirs', isConflict: true });
    assert.deepEqual(reconcile(mine, theirs('4', 12, 9)), { stands: 'theirs', isConflict: false });
  });

  test('is in conflict when a guest signs in and the account has different values', () => {
    const guest = adopted(played(nothingKept, '1', 50), 60);
    assert.deepEqual(reconcile(guest, theirs('9', 12, 40)), { stands: 'mine', isConflict: true });
    assert.equal(reconcile(guest, null).stands, 'mine');
    assert.deepEqual(reconcile(adopted(nothingKept, 60), theirs('9', 12, 40)), {
      stands: 'theirs',
      isConflict: false,
    });
  });

  test('counts changes that were made while a write was under way as unsent', () => {
    const before = begun(played(nothingKept, '1', 5));
    const after = sent(played(before, '2', 6), 10);
    assert.deepEqual([after.base, after.unsent], [10, 1]);
    assert.equal(sent(before, 10).unsent, 0);
    assert.equal(played(before, '1', 9), before);
    assert.equal(begun(played(before, '2', 6)).sending, before.sending);
    assert.equal(refused(before).unsent, 1);
    const other = taken(theirs('9', 12, 40));
    assert.equal(sent(other, 10), other);
  });

  test('is the browser’s when the account has what it sent, whatever its clock says', () => {
    const mine = played(begun(played(taken(theirs('3', 10, 1)), '4', 50)), '5', 51);
    assert.deepEqual(reconcile(mine, theirs('4', 11, 90)), { stands: 'mine', isConflict: false });
    assert.deepEqual(reconcile(mine, theirs('9', 11, 90)), { stands: 'theirs', isConflict: true });
  });
});

test('two devices that play, send and open in any order never lose progress without a conflict', () => {
  const step = fc.record({
    device: fc.constantFrom(0, 1),
    does: fc.constantFrom('plays', 'sends', 'sends unheard', 'opens'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const kept: Kept[] = [nothingKept, nothingKept];
      let account: Theirs | null = null;
      let clock = 1;
      for (const { device, does } of steps) {
        clock += 1;
        const mine = kept[device] ?? nothingKept;
        const known: Theirs | null = account;
        if (does === 'plays') kept[device] = changed(mine, [['at', String(clock)]], clock);
        const { sending } = begun(mine);
        if (does.startsWith('sends') && sending) {
          const isThere = known !== null && isSame(known.entries, sending.entries);
          if (!isThere && sending.base !== (known?.version ?? 0)) continue;
          if (!isThere)
            account = { entries: sending.entries, at: clock, version: clock, device: String(device) };
          kept[device] = does === 'sends' ? sent(begun(mine), account?.version ?? 0) : begun(mine);
        }
        if (does !== 'opens') continue;
        const { stands, isConflict } = reconcile(mine, known);
        if (known?.device === String(device)) assert.ok(!isConflict, 'its own write');
        if (stands === 'theirs' && known) {
          // Unsent values that differ from those that stand are a conflict, which must be reported.
          if (mine.unsent > 0 && !isSame(mine.entries, known.entries) && mine.entries.size > 0)
            assert.ok(isConflict);
          kept[device] = taken(known);
        }
        if (stands === 'mine' && known && mine.base !== known.version && known.device !== String(device))
          assert.ok(isConflict);
        if (stands === 'mine' && isConflict) kept[device] = { ...refused(mine), base: known?.version ?? 0 };
        if (stands === 'nothing') assert.equal(mine.unsent, 0);
      }
    }),
  );
});
