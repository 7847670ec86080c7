import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scanFolder } from '@spaceport/client/node/scan';
import { serviceJsonSchema } from './service-json.ts';

const folder = fileURLToPath(new URL('../../../examples/mothlight', import.meta.url));

test('the example can be published as it is', () => {
  const { files, problems } = scanFolder(folder);
  assert.deepEqual(problems, []);
  assert.ok(files.some((file) => file.path === 'index.html'));
  const settings = serviceJsonSchema.parse(JSON.parse(readFileSync(`${folder}/service.json`, 'utf8')));
  assert.equal(settings.space, undefined, 'a slug of somebody’s service does not belong in the example');
});

test('its nights are the same for everybody, and the pilot reaches the moon', async () => {
  const { layNight } = await import(`${folder}/src/night.js`);
  const { startFlight, step } = await import(`${folder}/src/flight.js`);
  const { pilotHolds } = await import(`${folder}/src/pilot.js`);
  for (const number of [1, 9, 30]) assert.deepEqual(layNight(number), layNight(number));
  const flight = startFlight(layNight(1));
  while (flight.state === 'flying' && flight.seconds < 60) step(flight, pilotHolds(flight));
  assert.equal(flight.state, 'moon');
});
