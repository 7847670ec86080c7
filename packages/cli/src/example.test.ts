import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scanFolder } from '@spaceport/client/node/scan';
import { serviceJsonSchema } from './service-json.ts';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));

for (const game of ['mothlight', 'stillwater'])
  test(`${game} can be published as it is`, () => {
    const folder = `${examples}/${game}`;
    const { files, problems } = scanFolder(folder);
    assert.deepEqual(problems, []);
    assert.ok(files.some((file) => file.path === 'index.html'));
    const settings = serviceJsonSchema.parse(JSON.parse(readFileSync(`${folder}/service.json`, 'utf8')));
    assert.equal(settings.space, undefined, 'a slug of somebody’s service does not belong in an example');
  });

test('the nights of Mothlight are the same for everybody, and the pilot reaches the moon', async () => {
  const { layNight } = await import(`${examples}/mothlight/src/night.js`);
  const { startFlight, step } = await import(`${examples}/mothlight/src/flight.js`);
  const { pilotHolds } = await import(`${examples}/mothlight/src/pilot.js`);
  for (const number of [1, 9, 30]) assert.deepEqual(layNight(number), layNight(number));
  const flight = startFlight(layNight(1));
  while (flight.state === 'flying' && flight.seconds < 60) step(flight, pilotHolds(flight));
  assert.equal(flight.state, 'moon');
});

test('the ponds of Stillwater are the same for everybody, and bloom after the touches they were laid with', async () => {
  const { isInBloom, pondOfDay, pondOfWalk, pondsInAll, touch } = await import(
    `${examples}/stillwater/src/pond.js`
  );
  assert.deepEqual(pondOfDay('2026-11-22'), pondOfDay('2026-11-22'));
  assert.notDeepEqual(pondOfDay('2026-11-22'), pondOfDay('2026-11-23'));
  for (let number = 1; number <= pondsInAll; number++) assert.equal(isInBloom(pondOfWalk(number)), false);
  for (const number of [1, 3, 5]) {
    const laid = pondOfWalk(number);
    // Of nine lilies each is touched not at all, once or twice: what comes after that repeats.
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
