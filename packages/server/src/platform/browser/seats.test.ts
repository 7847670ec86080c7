import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Seats } from './seats.ts';

class Thing {
  isUsable = true;
  isClosed = false;
  async close(): Promise<void> {
    this.isClosed = true;
  }
}
const start = async () => new Thing();
const never = new AbortController().signal;

describe('seats', () => {
  it('keep a usable browser for the next caller', async () => {
    const seats = new Seats<Thing>(1, 60_000);
    const first = await seats.take(start, never);
    await seats.giveBack(first, true);
    assert.equal(await seats.take(start, never), first);
    await seats.giveBack(first, false);
    assert.ok(first.isClosed);
    const second = await seats.take(start, never);
    assert.notEqual(second, first);
    await seats.giveBack(second, true);
    second.isUsable = false;
    assert.notEqual(await seats.take(start, never), second);
  });

  it('make callers wait in order, and let a waiting caller give up', async () => {
    const seats = new Seats<Thing>(1, 60_000);
    const first = await seats.take(start, never);
    const order: string[] = [];
    const turn = (name: string) =>
      seats.take(start, never).then(async (thing) => {
        order.push(name);
        await seats.giveBack(thing, true);
      });
    const impatient = new AbortController();
    const given = assert.rejects(seats.take(start, impatient.signal), /enough/u);
    const others = [turn('b'), turn('c')];
    impatient.abort(new Error('enough'));
    await given;
    await seats.giveBack(first, true);
    await Promise.all(others);
    assert.deepEqual(order, ['b', 'c']);
  });

  it('are free again when starting fails', async () => {
    const seats = new Seats<Thing>(1, 60_000);
    await assert.rejects(
      seats.take(() => Promise.reject(new Error('no browser')), never),
      /no browser/u,
    );
    assert.ok(await seats.take(start, never));
  });

  it('close what is idle, and everything when they are closed', async () => {
    const seats = new Seats<Thing>(2, 1);
    const idle = await seats.take(start, never);
    const busy = await seats.take(start, never);
    await seats.giveBack(idle, true);
    while (!idle.isClosed) await new Promise(setImmediate);
    await seats.close();
    assert.ok(busy.isClosed);
  });
});
