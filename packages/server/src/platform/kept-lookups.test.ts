import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeptLookups } from './kept-lookups.ts';

const before = { is: 'before' };
const start = 1_000_000;

function keptSince(lookedUpAt: number): KeptLookups<{ is: string }> {
  const kept = new KeptLookups<{ is: string }>({ most: 10 });
  kept.set('a', before, lookedUpAt);
  return kept;
}

describe('the result of a look-up', () => {
  it('needs no other look-up for 30 seconds, and counts as old if the clock goes back', () => {
    const kept = keptSince(start);
    assert.equal(kept.get('a', start + 29_999), before);
    assert.equal(kept.get('a', start + 30_000), undefined);
    assert.equal(kept.get('a', start - 1), undefined);
    assert.equal(kept.get('b', start), undefined);
  });

  it('stands in for a look-up that failed, and for those of the next second', () => {
    const kept = keptSince(start);
    const later = start + 3_600_000;
    assert.equal(kept.failed('a', later), before);
    assert.equal(kept.get('a', later + 999), before);
    assert.equal(kept.get('a', later + 1_000), undefined);
    assert.equal(kept.failed('b', later), undefined);
  });

  it('stands in for 50 seconds from when announcements may first have been missed', () => {
    const kept = keptSince(start);
    kept.doubt(start + 1);
    kept.doubt(start + 20_000);
    assert.equal(kept.get('a', start + 20_000), undefined, 'it is old');
    assert.equal(kept.failed('a', start + 50_000), before);
    assert.equal(kept.failed('a', start + 50_001), undefined);
    assert.equal(kept.get('a', start + 50_001), undefined);
  });

  it('is looked up at once when the database may be back', () => {
    const kept = keptSince(start);
    kept.doubt(start);
    kept.failed('a', start + 1);
    kept.doubt(start + 2);
    assert.equal(kept.get('a', start + 3), undefined);
  });

  it('is as good as ever once it was looked up again', () => {
    const kept = keptSince(start);
    kept.doubt(start);
    const after = { is: 'after' };
    kept.set('a', after, start + 60_000);
    assert.equal(kept.get('a', start + 60_001), after);
    assert.equal(kept.failed('a', start + 600_000), after);
  });

  it('never stands in after it was dropped', () => {
    const kept = keptSince(start);
    kept.drop('a');
    assert.equal(kept.failed('a', start), undefined);
    assert.equal(kept.peek('a'), undefined);
  });
});
