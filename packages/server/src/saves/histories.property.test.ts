import { describe, it } from 'node:test';
import fc from 'fast-check';
import { history, play, type SlotKeeper } from '../../test/save-histories.ts';
import { givenId } from '../platform/db/ids.ts';
import { judge, type Loser, nextVersion, settles, wonAfterAll } from './save-rules.ts';

/** Applies the rules to maps in memory, without a database. */
function rulesAlone(): SlotKeeper {
  const slots = new Map<string, { version: number; digest: string }>();
  let losers: (Loser & { digest: string })[] = [];
  let last: number | undefined;
  let ids = 0;
  const lose = (slot: string, digest: string, lostTo: number) => {
    losers = [
      ...losers.filter((loser) => loser.slot !== slot || loser.digest !== digest),
      { id: givenId('lost', String(++ids)), slot, digest, lostTo },
    ];
  };
  const shown = (slot: string) => {
    const at = slots.get(slot);
    return at ? { version: at.version, content: at.digest } : null;
  };
  return {
    read: async (slot) => shown(slot),
    async write(slot, base, digest) {
      const standing = slots.get(slot);
      const verdict = judge(standing, { base: base ?? 0, digest });
      if (verdict === 'conflict') {
        lose(slot, digest, standing?.version ?? 0);
        return { is: 'conflict', theirs: shown(slot) };
      }
      if (verdict === 'same' && standing) return { is: 'saved', version: standing.version };
      const version = nextVersion(last, 1_000);
      last = version;
      if (standing && settles(standing, slot, losers)) lose(slot, standing.digest, standing.version);
      const won = wonAfterAll(slot, digest, losers);
      losers = losers.filter(({ id }) => !won.includes(id));
      slots.set(slot, { version, digest });
      return { is: 'saved', version };
    },
    async remove(slot, base) {
      if (judge(slots.get(slot), { base: base ?? 0, digest: null }) === 'conflict')
        return { is: 'conflict', theirs: shown(slot) };
      slots.delete(slot);
      return { is: 'deleted' };
    },
    losers: async () => losers.map(({ slot, digest }) => ({ slot, content: digest })),
  };
}

describe('two devices that save by the rules', () => {
  it('never overwrite a save silently, whatever they do', async () => {
    await fc.assert(
      fc.asyncProperty(history, (deeds) => play(rulesAlone(), deeds)),
      { numRuns: 1_000 },
    );
  });
});
