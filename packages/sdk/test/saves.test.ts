import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Json, Save } from '@spaceport/contract/sdk-protocol';
import fc from 'fast-check';
import { framedModule, Refusal } from './support/fake-page.ts';

/** A slot as the service keeps it. `written` has every version, so that no lost one goes unnoticed. */
function slotOfService() {
  const written: Save[] = [];
  let clock = 0;
  const at = () => new Date(1_700_000_000_000 + clock++ * 1_000).toISOString();
  return {
    written,
    last: () => written.at(-1) ?? null,
    answer(device: string) {
      return (method: string, args: unknown[]): unknown => {
        const last = written.at(-1) ?? null;
        if (method === 'saves.get') return last;
        const [slot, data, base] = args as [string, Json, number];
        const mine = { slot, data, version: base + 1, at: at(), device };
        if ((last?.version ?? 0) !== base)
          throw new Refusal({ code: 'conflict', message: 'conflict', detail: { mine, theirs: last } });
        written.push(mine);
        return mine;
      };
    },
  };
}

test('writes are sent one after the other, each based on the last version seen', async () => {
  const slot = slotOfService();
  using page = framedModule(slot.answer('one'));
  page.answer();
  await Promise.all([
    page.module.saves.set('a', 1),
    page.module.saves.set('a', 2),
    page.module.saves.set('a', 3),
  ]);
  assert.deepEqual(
    slot.written.map(({ data, version }) => [data, version]),
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  );
});

test('a delete comes after the writes before it, and the next write begins with an empty slot', async () => {
  const sent: string[] = [];
  let version = 0;
  using page = framedModule(async (method, [slot, data, base]) => {
    sent.push(`${method} ${data ?? ''} ${base ?? ''}`.trim());
    await turn();
    return method === 'saves.delete' ? null : { slot, data, version: ++version, at: '', device: '' };
  });
  page.answer();
  const { saves } = page.module;
  await Promise.all([saves.set('a', 1), saves.set('a', 2), saves.delete('a'), saves.set('a', 3)]);
  assert.deepEqual(sent, ['saves.set 1 0', 'saves.set 2 1', 'saves.delete', 'saves.set 3 0']);
});

test('a save has the value of the moment when it was handed over', async () => {
  const slot = slotOfService();
  using page = framedModule(slot.answer('one'));
  const state = { level: 1 };
  const saving = page.module.saves.set('a', state);
  state.level = 2;
  page.answer();
  await saving;
  assert.deepEqual(slot.last()?.data, { level: 1 });
});

test('a space with a conflict handler decides with both versions', async () => {
  const slot = slotOfService();
  using one = framedModule(slot.answer('one'));
  using other = framedModule(slot.answer('other'));
  one.answer();
  other.answer();
  await one.module.saves.set('a', { coins: 3 });
  other.module.saves.onConflict((mine, theirs) => {
    assert.deepEqual([mine.device, theirs.device], ['other', 'one']);
    return { coins: (mine.data as { coins: number }).coins + (theirs.data as { coins: number }).coins };
  });
  const saved = await other.module.saves.set('a', { coins: 4 });
  assert.deepEqual(saved.data, { coins: 7 });
  assert.equal(saved.version, 2);
});

test('a function that decides nothing leaves the newer save, and the slot can be written', async () => {
  const slot = slotOfService();
  using one = framedModule(slot.answer('one'));
  using other = framedModule(slot.answer('other'));
  one.answer();
  other.answer();
  await one.module.saves.set('a', 1);
  other.module.saves.onConflict((() => {}) as never);
  assert.equal((await other.module.saves.set('a', 2)).data, 2);
  assert.equal((await other.module.saves.set('a', 3)).data, 3);
});

test('without a conflict handler the newer version wins', async () => {
  const theirs = { slot: 'a', data: 'theirs', version: 5, at: '2026-01-02T00:00:00Z', device: 'phone' };
  for (const [at, winner] of [
    ['2026-01-01T00:00:00Z', 'theirs'],
    ['2026-01-03T00:00:00Z', 'mine'],
  ]) {
    const sent: unknown[] = [];
    using page = framedModule((_method, args) => {
      sent.push(args);
      const [slot, data, base] = args as [string, Json, number];
      const mine = { slot, data, version: base + 1, at: at ?? '', device: 'desk' };
      if (base !== 5) throw new Refusal({ code: 'conflict', message: 'conflict', detail: { mine, theirs } });
      return mine;
    });
    page.answer();
    assert.equal((await page.module.saves.set('a', 'mine')).data, winner);
    assert.equal(sent.length, winner === 'mine' ? 2 : 1);
    // The next write is based on the version that stands now.
    assert.equal((await page.module.saves.set('a', 'next')).version, 6);
  }
});

test('a slot that was deleted meanwhile accepts the write', async () => {
  using page = framedModule((_method, args) => {
    const [slot, data, base] = args as [string, Json, number];
    const mine = { slot, data, version: base + 1, at: '', device: '' };
    if (base !== 0)
      throw new Refusal({ code: 'conflict', message: 'conflict', detail: { mine, theirs: null } });
    return mine;
  });
  page.answer();
  assert.equal((await page.module.saves.set('a', 1, 4)).version, 1);
});

test('a write that is refused every time ends with a conflict error', async () => {
  let version = 1;
  using page = framedModule((_method, [slot, data]) => {
    const mine = { slot, data, version: 0, at: '2', device: '' } as Save;
    throw new Refusal({
      code: 'conflict',
      message: 'conflict',
      detail: { mine, theirs: { ...mine, at: '1', data: 0, version: version++ } },
    });
  });
  page.answer();
  await assert.rejects(page.module.saves.set('a', 1), { code: 'conflict' });
  assert.equal(page.heard.length, 5);
});

test('another player has separate slots', async () => {
  const bases: unknown[] = [];
  using page = framedModule((_method, args) => {
    bases.push(args[2]);
    return { slot: 'a', data: 1, version: 9, at: '', device: '' };
  });
  const port = page.answer();
  await page.module.saves.set('a', 1);
  const changed = new Promise((resolve) => page.module.on('player', resolve));
  port.postMessage({ ev: 'player', d: { id: 'p2', handle: 'ben', guest: false } });
  await changed;
  await page.module.saves.set('a', 1);
  assert.deepEqual(bases, [0, 0]);
});

test('histories of two devices: a write never replaces one that its device has not seen or decided about', async () => {
  const step = fc.record({
    device: fc.integer({ min: 0, max: 1 }),
    does: fc.constantFrom('get' as const, 'set' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const slot = slotOfService();
      using one = framedModule(slot.answer('0'));
      using other = framedModule(slot.answer('1'));
      const pages = [one, other] as const;
      const decided: [unknown, unknown][] = [];
      for (const page of pages) {
        page.answer();
        page.module.saves.onConflict((mine, theirs) => {
          decided.push([mine.data, theirs.data]);
          return mine.data;
        });
      }
      const known: unknown[] = [null, null];
      let count = 0;
      for (const { device, does } of steps) {
        const { saves } = pages[device === 0 ? 0 : 1].module;
        const before = slot.last()?.data ?? null;
        if (does === 'get') known[device] = (await saves.get('a'))?.data ?? null;
        else {
          const data = ++count;
          await saves.set('a', data);
          const wasSeen = before === known[device];
          const wasDecided = decided.some(([mine, theirs]) => mine === data && theirs === before);
          assert.ok(wasSeen || wasDecided, `${data} went over ${before} unseen`);
          known[device] = data;
        }
      }
    }),
    { numRuns: 30 },
  );
});
