import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { shownSpace } from './seed.ts';
import { stagePages } from './stage-pages.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');
let service: TestService;
let browser: Browser;
before(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
});
after(async () => {
  await browser?.close();
  await service?.close();
});

/** Runs without the engines: the page replaces the parts that they put around a binding. */
it('the browser scripts of the Unity and Godot bindings call the service from a page of a space', async () => {
  const addon = await read('examples/engines/godot/addons/spaceport/spaceport.gd');
  const bridge = /_BRIDGE := """([\s\S]+?)"""/u.exec(addon)?.[1];
  assert.ok(bridge);
  const files = {
    'index.html': await read('packages/sdk/test/conformance/engines.html'),
    'calls.js': await read('packages/sdk/test/conformance/calls.js'),
    'unity.js': await read('examples/engines/unity/Assets/Plugins/Spaceport/Spaceport.jslib'),
    'godot.js': bridge,
  };
  const creator = await service.creator('mira');
  const { space } = await publishLive(service, creator, files, {
    fields: shownSpace,
    boards: [{ key: 'points' }],
    achievements: [{ key: 'first', title: 'The first' }],
  });
  const player = await signUp(service, { handle: 'engine_player' });
  const { pageOf, boardOf, using } = stagePages(() => ({ service, browser }));
  await using(
    pageOf(space.slug),
    async (page) => {
      await page.locator('iframe.frame').waitFor();
      const frame = await (await page.locator('iframe.frame').elementHandle())?.contentFrame();
      assert.ok(frame);
      // The empty document before it has the page's policy, which forbids the evaluation below.
      await frame.waitForURL(/\.play\./u);
      await frame.waitForFunction('window.results !== undefined');
      assert.deepEqual(await frame.evaluate('window.results.said'), {
        'Unity: is there': 1,
        'Unity: listens': null,
        'Godot: listens': null,
        'Godot: state': 'engine_player',
        'Unity: ready': null,
        'Unity: no such method': { failed: 'unsupported' },
        'Unity: nothing there': { failed: 'not_found' },
        'Unity: score': 5,
        'Unity: save': 'unity',
        'Unity: load': { höhe: '12 m' },
        'Unity: unlock': true,
        'Godot: ready': null,
        'Godot: no such method': { failed: 'unsupported' },
        'Godot: nothing there': { failed: 'not_found' },
        'Godot: score': 5,
        'Godot: save': 'godot',
        'Godot: load': { höhe: '12 m' },
        'Godot: unlock': false,
      });
    },
    { as: player, mayComplain: /404|Not Found|no board/iu },
  );
  assert.deepEqual(
    (await boardOf(space.slug)).map(({ handle, score }) => [handle, score]),
    [['engine_player', 5]],
  );
});
