import assert from 'node:assert/strict';
import fc from 'fast-check';

/** One slot in an answer to a device. `content` represents the save. */
export interface Shown {
  readonly version: number;
  readonly content: string;
}

export type WriteAnswer = { readonly is: 'saved'; readonly version: number } | Refused;
export interface Refused {
  readonly is: 'conflict';
  readonly theirs: Shown | null;
}

/** Stores the slots of one player: a model of the rules, or a service. */
export interface SlotKeeper {
  read(slot: string): Promise<Shown | null>;
  /** `base` is null for a write that names no version. */
  write(slot: string, base: number | null, content: string): Promise<WriteAnswer>;
  remove(slot: string, base: number | null): Promise<{ readonly is: 'deleted' } | Refused>;
  /** Returns the kept losing saves. */
  losers(): Promise<{ slot: string; content: string }[]>;
}

const deed = fc.record({
  device: fc.integer({ min: 0, max: 1 }),
  slot: fc.constantFrom('main', 'other'),
  does: fc.oneof(
    { weight: 6, arbitrary: fc.constant('write' as const) },
    { weight: 2, arbitrary: fc.constant('read' as const) },
    { weight: 1, arbitrary: fc.constant('delete' as const) },
    // Names a version that the device once knew, or none.
    { weight: 2, arbitrary: fc.constant('stale' as const) },
  ),
  pick: fc.nat(),
});
export type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

/** Generates the actions of two devices of one player. */
export const history = fc.array(deed, { minLength: 1, maxLength: 30 });

/** A device's knowledge of one slot, in the order of the answers. */
interface Known {
  /** Known versions. 0 means empty, which every device assumes at first. */
  readonly versions: number[];
  readonly contents: Set<string>;
  conflict: Refused | null;
}

/**
 * Plays a history. Fails if a save is replaced or deleted by a device that never saw it, or if a refused
 * write is not kept.
 */
export async function play(keeper: SlotKeeper, deeds: readonly Deed[]): Promise<void> {
  const known = new Map<string, Known>();
  const knownBy = (device: number, slot: string): Known => {
    const key = `${device} ${slot}`;
    const own = known.get(key) ?? { versions: [0], contents: new Set<string>(), conflict: null };
    known.set(key, own);
    return own;
  };
  const standing = new Map<string, string>();
  const refused = new Map<string, string>();
  const learn = (own: Known, shown: Shown | null) => {
    own.versions.push(shown?.version ?? 0);
    if (shown) own.contents.add(shown.content);
  };

  for (const [index, { device, slot, does, pick }] of deeds.entries()) {
    const own = knownBy(device, slot);
    if (does === 'read') {
      const shown = await keeper.read(slot);
      assert.equal(shown?.content, standing.get(slot), 'a read shows what stands');
      learn(own, shown);
      own.conflict = null;
      continue;
    }
    const last = own.versions.at(-1) ?? 0;
    const older = own.versions[pick % own.versions.length] ?? 0;
    const base = does === 'stale' ? older : last;
    const before = standing.get(slot);
    const overwrites = () =>
      assert.ok(before === undefined || own.contents.has(before), `${before} was replaced unseen`);

    if (does === 'delete') {
      const answer = await keeper.remove(slot, base === 0 ? null : base);
      if (answer.is === 'conflict') learn(own, answer.theirs);
      else {
        overwrites();
        standing.delete(slot);
        own.versions.push(0);
      }
      continue;
    }
    const content = `by ${device} at ${index}`;
    const answer = await keeper.write(slot, base === 0 && pick % 2 === 0 ? null : base, content);
    if (answer.is === 'conflict') {
      assert.equal(answer.theirs?.content, before, 'a conflict shows what stands');
      learn(own, answer.theirs);
      own.conflict = answer;
      refused.set(content, slot);
      continue;
    }
    overwrites();
    if (own.conflict?.theirs && own.conflict.theirs.content === before)
      refused.set(own.conflict.theirs.content, slot);
    own.conflict = null;
    standing.set(slot, content);
    refused.delete(content);
    own.versions.push(answer.version);
    own.contents.add(content);
  }

  for (const [slot, content] of standing)
    assert.deepEqual((await keeper.read(slot))?.content, content, 'what was answered is there');
  const kept = new Set((await keeper.losers()).map((loser) => `${loser.slot} ${loser.content}`));
  const newest = [...refused].slice(-8);
  for (const [content, slot] of newest) assert.ok(kept.has(`${slot} ${content}`), `${content} was kept`);
}
