import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import type { Json, SaveConflict } from '@spaceport/contract/sdk-protocol';
import fc from 'fast-check';
import { memoryDatabase } from '../../test/memory-database.ts';
import { createOutbox } from './outbox.ts';
import type { Play } from './play.ts';
import { createStageSaves } from './saves.ts';
import { createSending } from './sending.ts';
import { StageError } from './stage-error.ts';

const lane = 'space guest';
/** What becomes of a request: its answer comes, it does not arrive, its answer is lost, or it is refused for good. */
type Outcome = 'answered' | 'away' | 'lost' | 'refused' | 'proxy';

/** How far the service's clock may be ahead of the page's, unknown to the page: it tells whole seconds only. */
const aheadMs = 1_500;

/** A service with one slot, by the rules of `saves/save-rules.ts`. */
function memoryService() {
  let last = 100;
  let there: { version: number; data: Json; at: string } | null = null;
  const answer = (status: number, body: object) => Response.json(body, { status });
  const save = () => there && { slot: 'a', device: '', ...there };
  const act = (method: string, base: number, data: Json): Response => {
    if (method === 'GET') return answer(200, { saves: there ? [save()] : [] });
    const isSame = method === 'PUT' ? there?.data === data : there === null;
    if (!isSame && base !== (there?.version ?? 0))
      return answer(412, { error: 'conflict', message: 'Written meanwhile.', theirs: save() });
    if (method === 'DELETE') there = null;
    else if (!isSame) there = { version: ++last, data, at: new Date(Date.now() + aheadMs).toISOString() };
    return answer(200, save() ?? { deleted: true });
  };
  let held: (() => Promise<void>) | null = null;
  const outcomes: Outcome[] = [];
  return {
    outcomes,
    data: () => there?.data ?? null,
    /** Writes as another device. */
    write(data: Json, at: number) {
      there = { version: ++last, data, at: new Date(at).toISOString() };
    },
    /** Holds the next request back. Returns when it has come, and the function that lets it go on. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const come = Promise.withResolvers<void>();
      held = () => {
        come.resolve();
        return promise;
      };
      return { come: come.promise, release: resolve };
    },
    async fetch(_url: string, init: { method: string; headers: object; body?: string }): Promise<Response> {
      const waits = held;
      held = null;
      await (waits ? waits() : new Promise(setImmediate));
      const outcome = outcomes.shift() ?? 'answered';
      if (outcome === 'away') throw new TypeError('no line');
      if (outcome === 'proxy') return new Response('<h1>Sign in to the hotspot</h1>', { status: 403 });
      if (outcome === 'refused') return answer(413, { error: 'too_large', message: 'No slot is free.' });
      const base = new Headers(init.headers as Record<string, string>).get('if-match');
      const { data } = JSON.parse(init.body ?? '{}');
      const answered = act(init.method, Number(base?.replaceAll('"', '') ?? 0), data);
      if (outcome === 'lost') throw new TypeError('no answer');
      return answered;
    },
  };
}

/** A page, as a game uses it that remembers the version of its last write. */
function openPage() {
  const stopping = new AbortController();
  const outbox = createOutbox(memoryDatabase);
  const play = {
    lane: () => lane,
    requirePlayerOf() {},
    asPlayer: (work: (headers: object) => Promise<unknown>) => work({}),
    withSession: (work: (session: string, headers: object) => Promise<unknown>) => work('', {}),
  } as unknown as Play;
  const sending = createSending({
    outbox,
    play,
    send: (item) => saves.send(item),
    signal: stopping.signal,
  });
  const saves = createStageSaves({ space: 'space', play, outbox, keep: sending.keep });
  let seen = 0;
  const conflicts: SaveConflict[] = [];
  return {
    saves,
    sending,
    conflicts,
    waits: async () => (await outbox.list(lane)).length,
    async set(data: Json): Promise<void> {
      for (;;) {
        try {
          seen = (await saves.set('a', data, seen)).version;
          return;
        } catch (error) {
          const conflict = error instanceof StageError ? error.more.detail : undefined;
          if (!conflict) throw error;
          if (conflict.theirs) conflicts.push(conflict);
          seen = conflict.theirs?.version ?? 0;
        }
      }
    },
    async delete(): Promise<void> {
      await saves.delete('a');
      seen = 0;
    },
    stop: () => stopping.abort(),
  };
}

describe('saves while the service comes and goes', () => {
  const own = globalThis.fetch;
  let service: ReturnType<typeof memoryService>;
  before(() => {
    mock.timers.enable({ apis: ['Date'] });
    globalThis.fetch = ((...given: Parameters<typeof service.fetch>) =>
      service.fetch(...given)) as typeof fetch;
  });
  after(() => {
    globalThis.fetch = own;
    mock.timers.reset();
  });

  it('deletes a slot for good while a save of it is being sent', async () => {
    service = memoryService();
    const page = openPage();
    service.outcomes.push('away');
    await page.set('waits');
    const { come, release } = service.hold();
    const sent = page.sending.sendWaiting();
    await come;
    const deleted = page.delete();
    // A deletion that waits for nothing is over by then.
    for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
    release();
    await Promise.all([sent, deleted]);
    assert.deepEqual([service.data(), await page.waits()], [null, 0]);
    page.stop();
  });

  it('keeps a save that is made after the deletion of its slot, which still waits', async () => {
    service = memoryService();
    const page = openPage();
    service.outcomes.push('away');
    await page.set('old');
    const { come, release } = service.hold();
    const sent = page.sending.sendWaiting();
    await come;
    const deleted = page.saves.delete('a');
    const set = page.set('new');
    release();
    await Promise.all([sent, deleted, set]);
    assert.deepEqual([service.data(), await page.waits()], ['new', 0]);
    page.stop();
  });

  it('keeps a save that waits if its slot cannot be deleted', async () => {
    service = memoryService();
    const page = openPage();
    service.outcomes.push('away', 'away');
    await page.set('waits');
    await assert.rejects(page.delete());
    await page.sending.sendWaiting();
    assert.equal(service.data(), 'waits');
    page.stop();
  });

  it('bases a save on what is there if the one before it is refused for good', async () => {
    service = memoryService();
    const page = openPage();
    await page.set('there');
    service.outcomes.push('away');
    await page.set('refused');
    service.outcomes.push('refused');
    await page.sending.sendWaiting();
    await page.set('next');
    assert.deepEqual([service.data(), page.conflicts], ['next', []]);
    page.stop();
  });

  it('sends a save later that a proxy’s page has answered', async () => {
    service = memoryService();
    const page = openPage();
    service.outcomes.push('proxy', 'proxy');
    await page.set('waits');
    await page.sending.sendWaiting();
    await page.sending.sendWaiting();
    assert.equal(service.data(), 'waits');
    page.stop();
  });

  it('asks about a newer save of another device, in whose place a waiting one was not kept', async () => {
    service = memoryService();
    const page = openPage();
    service.outcomes.push('away');
    await page.set('offline');
    service.write('of another device', Date.now() + 60_000);
    await page.sending.sendWaiting();
    assert.equal(service.data(), 'of another device');
    await page.set('goes on');
    assert.deepEqual(
      page.conflicts.map(({ theirs }) => theirs?.data),
      ['of another device'],
    );
    page.stop();
  });

  it('end as the player left them, without a conflict, on one device', async () => {
    const outcome = fc.constantFrom<Outcome>('answered', 'away', 'lost', 'proxy');
    const deed = fc.record({
      does: fc.constantFrom('set', 'set', 'delete', 'send', 'sent'),
      outcomes: fc.array(outcome, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 12 }), async (deeds) => {
        service = memoryService();
        const page = openPage();
        let may: (Json | null)[] = [null];
        let count = 0;
        for (const { does, outcomes } of deeds) {
          mock.timers.tick(1_000);
          service.outcomes.push(...outcomes);
          if (does === 'send') void page.sending.sendWaiting();
          if (does === 'sent') await page.sending.sendWaiting();
          if (does === 'set') {
            may = [`${++count}`];
            await page.set(`${count}`);
          }
          if (does === 'delete')
            await page.delete().then(
              () => (may = [null]),
              () => may.push(null),
            );
        }
        service.outcomes.splice(0);
        await page.sending.sendWaiting();
        page.stop();
        assert.equal(await page.waits(), 0);
        assert.ok(may.includes(service.data()), `${service.data()} is none of ${may}`);
        assert.deepEqual(page.conflicts, []);
      }),
      { numRuns: 200 },
    );
  });
});
