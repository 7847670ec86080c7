import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Making, TaggedCache } from './tagged-cache.ts';

type Tag = `a:${number}` | `b:${number}`;
const tags: readonly Tag[] = ['a:1', 'a:2', 'b:1'];
interface Seen {
  readonly versions: readonly number[];
}

const entry = (value: Seen, own: readonly Tag[], bytes = 100) => ({
  value,
  tags: own,
  bytes,
  madeAt: 0,
  goodUntil: 10,
});

describe('a cache with tags', () => {
  it('has no entry older than the last change of its tags, whatever overlaps', () => {
    const deed = fc.oneof(
      fc.record({ does: fc.constant('change' as const), tag: fc.constantFrom(...tags, 'a:*' as const) }),
      fc.record({ does: fc.constant('begin' as const), own: fc.subarray([...tags], { minLength: 1 }) }),
      fc.record({ does: fc.constant('finish' as const), which: fc.nat({ max: 3 }) }),
      fc.record({ does: fc.constant('all' as const) }),
    );
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), (deeds) => {
        const cache = new TaggedCache<Tag, Seen>(1_000);
        const versions = new Map<Tag, number>(tags.map((tag) => [tag, 0]));
        const now = (own: readonly Tag[]) => own.map((tag) => versions.get(tag) ?? 0);
        const under: { own: readonly Tag[]; seen: number[]; making: Making<Tag> }[] = [];
        const change = (own: readonly Tag[]) => {
          for (const tag of own) versions.set(tag, (versions.get(tag) ?? 0) + 1);
        };
        for (const one of deeds) {
          if (one.does === 'change') {
            change(one.tag === 'a:*' ? ['a:1', 'a:2'] : [one.tag]);
            cache.drop(one.tag);
          } else if (one.does === 'all') {
            change(tags);
            cache.dropAll();
          } else if (one.does === 'begin') {
            const making = cache.begin();
            under.push({ own: one.own, seen: now(one.own), making });
          } else {
            const [made] = under.splice(one.which, 1);
            if (!made) continue;
            cache.put(made.own.join(), entry({ versions: made.seen }, made.own), made.making);
            made.making.end();
          }
          for (const own of [['a:1'], ['a:2'], ['a:1', 'b:1'], ['a:1', 'a:2', 'b:1']] as const) {
            const kept = cache.get(own.join(), 1);
            if (kept) assert.deepEqual(kept.versions, now(own));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps an entry that was begun after the last change', () => {
    const cache = new TaggedCache<Tag, Seen>(1_000);
    cache.drop('a:1');
    const making = cache.begin();
    cache.drop('b:1');
    const value = { versions: [1] };
    cache.put('key', entry(value, ['a:1']), making);
    making.end();
    assert.equal(cache.get('key', 9), value);
    assert.equal(cache.get('key', 10), undefined, 'until then');
    assert.equal(cache.bytes, 0);
  });

  it('forgets the tags of entries that are dropped, replaced, grow or are too large', () => {
    const cache = new TaggedCache<Tag, Seen>(1_000);
    const put = (key: string, own: readonly Tag[], bytes: number) => {
      const making = cache.begin();
      const value = { versions: [] };
      cache.put(key, entry(value, own, bytes), making);
      making.end();
      return value;
    };
    for (let number = 0; number < 50; number++) put(`key ${number}`, [`a:${number}`], 200);
    assert.deepEqual([cache.bytes, cache.tagCount], [1_000, 5]);
    put('key 49', ['b:1'], 200);
    assert.equal(cache.tagCount, 5);
    cache.grow('key 49', put('key 49', ['b:1'], 100), 100);
    assert.deepEqual([cache.bytes, cache.tagCount], [1_000, 5]);
    put('large', ['b:2'], 251);
    assert.equal(cache.tagCount, 5);
    cache.drop('b:1');
    assert.equal(cache.get('key 49', 1), undefined);
    cache.dropAll();
    assert.deepEqual([cache.bytes, cache.tagCount], [0, 0]);
  });

  it('drops everything when it had to forget too many changes', () => {
    const cache = new TaggedCache<Tag, Seen>(1_000);
    const making = cache.begin();
    for (let number = 0; number <= 10_001; number++) cache.drop(`b:${number}`);
    assert.notEqual(making.firstDropOf(['a:1']), null);
  });
});
