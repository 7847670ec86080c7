import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Gateway, gatewayNames, type Portal, portalNames } from '@spaceport/contract/portals';
import { createCrazyGames } from '../../src/shims/crazygames/crazygames.ts';
import { documentedGateways, documentedSdks, namesOf } from '../../src/shims/documented.ts';
import { createGameJolt } from '../../src/shims/gateways/gamejolt/gamejolt.ts';
import { createNewgrounds } from '../../src/shims/gateways/newgrounds/newgrounds.ts';
import { createPlayables } from '../../src/shims/playables/playables.ts';
import { createPoki } from '../../src/shims/poki/poki.ts';
import type { ShimHost } from '../../src/shims/shim-host.ts';
import { start } from '../../src/start.ts';
import { app, loadSecond } from '../support/fake-page.ts';
import { fakeWindow } from '../support/fake-window.ts';

const makers: Readonly<Record<Portal, (host: ShimHost) => object>> = {
  crazygames: createCrazyGames,
  poki: createPoki,
  playables: createPlayables,
};

const answered: Readonly<Record<Gateway, (host: ShimHost) => object>> = {
  newgrounds: (host) => createNewgrounds(host, { app_id: '1:a' }).components,
  gamejolt: (host) => createGameJolt(host, { game_id: '32' }).endpoints,
};

/** Names that are documented as a whole. Their parts are not compared. */
const wholes = ['game.settings', 'user.systemInfo', 'SdkErrorType', 'engagement.ContentType'];

function namesIn(sdk: object, path = ''): string[] {
  return Object.entries(sdk).flatMap(([name, value]) => {
    const at = path + name;
    return typeof value === 'object' && value !== null && !wholes.includes(at)
      ? namesIn(value, `${at}.`)
      : [at];
  });
}

describe('the shim of a portal', () => {
  for (const portal of portalNames) {
    test(`${portal}: has every documented name, and no other`, () => {
      const { frame } = fakeWindow();
      const sdk = makers[portal]({
        spaceport: start(null, frame, loadSecond),
        served: { app, board: null },
        frame,
      });
      const documented = namesOf(documentedSdks[portal]);
      assert.equal(new Set(documented).size, documented.length, 'each once');
      assert.deepEqual(namesIn(sdk).sort(), [...documented].sort());
    });
  }
  for (const gateway of gatewayNames) {
    test(`${gateway}: answers every documented call, and no other`, () => {
      const { frame } = fakeWindow();
      const host = { spaceport: start(null, frame, loadSecond), served: { app, board: null }, frame };
      const documented = namesOf(documentedGateways[gateway]);
      assert.equal(new Set(documented).size, documented.length, 'each once');
      assert.deepEqual(Object.keys(answered[gateway](host)).sort(), [...documented].sort());
    });
  }
});
