import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scanFolder } from '@spaceport/client/node/scan';
import { serviceJsonSchema } from '@spaceport/contract/service-json';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));

for (const [game, path] of [
  ['Mothlight', 'mothlight'],
  ['Skerry, once it is built,', 'skerry/public'],
  ['Stillwater', 'stillwater'],
  ['Two Comets', 'two-comets'],
] as const)
  test(`${game} can be published as it is`, () => {
    const folder = `${examples}/${path}`;
    const { files, problems } = scanFolder(folder);
    assert.deepEqual(problems, []);
    assert.ok(files.length > 0);
    const settings = serviceJsonSchema.parse(JSON.parse(readFileSync(`${folder}/service.json`, 'utf8')));
    assert.equal(settings.space, undefined, 'a slug of somebody’s service does not belong in an example');
  });

test('the nights of Mothlight are the same for everybody, and its pilot reaches the moon', async () => {
  const { layNight } = await import(`${examples}/mothlight/src/night.js`);
  const { startFlight, step } = await import(`${examples}/mothlight/src/flight.js`);
  const { pilotHolds } = await import(`${examples}/mothlight/src/pilot.js`);
  for (const number of [1, 9, 30]) assert.deepEqual(layNight(number), layNight(number));
  const flight = startFlight(layNight(1));
  while (flight.state === 'flying' && flight.seconds < 60) step(flight, pilotHolds(flight));
  assert.equal(flight.state, 'moon');
});

test('the ponds of Stillwater are the same for everybody, and can be solved in the stated touches', async () => {
  const { isInBloom, pondOfDay, pondOfWalk, pondsInAll, touch } = await import(
    `${examples}/stillwater/src/pond.js`
  );
  assert.deepEqual(pondOfDay('2026-11-22'), pondOfDay('2026-11-22'));
  assert.notDeepEqual(pondOfDay('2026-11-22'), pondOfDay('2026-11-23'));
  for (let number = 1; number <= pondsInAll; number++) assert.equal(isInBloom(pondOfWalk(number)), false);
  for (const number of [1, 3, 5]) {
    const laid = pondOfWalk(number);
    // Touches each of nine lilies never, once or twice, because a third touch gives the first state again.
    const ways = Array.from({ length: 3 ** 9 }, (_, way) =>
      Array.from({ length: 9 }, (_, at) => Math.floor(way / 3 ** at) % 3),
    ).filter((way) => {
      const pond = structuredClone(laid);
      for (const [at, times] of way.entries()) for (let time = 0; time < times; time++) touch(pond, at);
      return isInBloom(pond);
    });
    const fewest = Math.min(...ways.map((way) => way.reduce((sum, times) => sum + times, 0)));
    assert.ok(fewest <= laid.needed, `pond ${number} takes ${fewest} touches, not ${laid.needed}`);
  }
});

test('the sea of Skerry is the same for the same seed, and steering ahead gets far', async () => {
  const { castOff, sail } = await import(`${examples}/skerry/src/course.js`);
  const trips = ['a', 'a', 'b'].map((seed) => {
    const trip = castOff(seed);
    for (let step = 0; step < 60; step++) sail(trip, 0, 1 / 60);
    return trip.rocks;
  });
  assert.deepEqual(trips[0], trips[1]);
  assert.notDeepEqual(trips[0], trips[2]);
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const trip = castOff(seed);
    while (trip.state === 'sailing' && trip.out < 300) sail(trip, steer(trip), 1 / 60);
    assert.equal(trip.state, 'sailing', `seed ${seed} ended after ${trip.out} m`);
    assert.ok(trip.lamps > 0, `seed ${seed} gave ${trip.lamps} lamps`);
  }
});

test('the rings of Two Comets can be flown, and staying inside and gathering dust is faster', async () => {
  const { builtIn, isRing, layRing, ringOfStroke } = await import(`${examples}/two-comets/src/ring.js`);
  const { isHome, rules, startComet, step } = await import(`${examples}/two-comets/src/race.js`);
  const circle = Array.from({ length: 90 }, (_, at) => [
    200 + 90 * Math.cos(at / 14),
    300 + 120 * Math.sin(at / 14),
  ]);
  const drawn = ringOfStroke(circle);
  assert.ok(isRing({ points: drawn }));
  const line = circle.map(([x]) => [x, 5]);
  assert.deepEqual([ringOfStroke(line), ringOfStroke(circle.slice(0, 5))], [null, null]);
  for (const wrong of [null, {}, { points: [] }, { points: drawn.map(() => [1e9, 'x']) }])
    assert.equal(isRing(wrong), false, JSON.stringify(wrong));
  for (const points of [...builtIn.map((ring: { points: unknown }) => ring.points), drawn]) {
    const ring = layRing(points);
    const secondsOf = (isHeld: (comet: { d: number; drift: number }) => boolean) => {
      const comet = startComet(true);
      let steps = 0;
      while (!isHome(comet, ring) && steps < 120 * 120) {
        step(comet, ring, isHeld(comet), null);
        steps++;
      }
      return steps * rules.stepSeconds;
    };
    const careful = secondsOf(({ d, drift }) => d + drift * 0.3 < 0.35);
    const careless = secondsOf(() => true);
    assert.ok(careful < careless && careless < 90, `${careful} s and ${careless} s`);
  }
});

interface Afloat {
  readonly x: number;
  readonly out: number;
}

/** Returns the helm of a boat that sees thirty metres ahead and steers towards the widest water. */
function steer(trip: Afloat & { drift: number; rocks: (Afloat & { size: number })[] }): number {
  const ahead = trip.rocks.filter(({ out }) => out > trip.out - 2 && out < trip.out + 30);
  let best = { x: 0, cost: Number.POSITIVE_INFINITY };
  for (let x = -8.5; x <= 8.5; x += 0.5) {
    const danger = ahead.reduce((sum, rock) => {
      const isInWay = Math.abs(rock.x - x) < rock.size + 1;
      return sum + (isInWay ? 60 / (5 + rock.out - trip.out) : 0);
    }, 0);
    const cost = danger + Math.abs(x - trip.x) * 0.12;
    if (cost < best.cost) best = { x, cost };
  }
  return Math.max(-1, Math.min(1, (best.x - trip.x - trip.drift * 0.12) * 1.5));
}
