import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Portal, portalNames } from '@spaceport/contract/portals';
import { createCrazyGames } from '../../src/shims/crazygames/crazygames.ts';
import { documentedSdks, namesOf } from '../../src/shims/documented.ts';
import { createPlayables } from '../../src/shims/playables/playables.ts';
import { createPoki } from '../../src/shims/poki/poki.ts';
import type { ShimHost } from '../../src/shims/shim-host.ts';
import { start } from '../../src/start.ts';
import { fakeWindow } from '../support/fake-window.ts';

const makers: Readonly<Record<Portal, (host: ShimHost) => object>> = {
  crazygames: createCrazyGames,
  poki: createPoki,
  playables: createPlayables,
};

/** What is told of a whole is not told of its parts. */
const wholes = ['game.settings', 'user.systemInfo', 'SdkErrorType', 'engagement.ContentType'];

function namesIn(sdk: object, path = ''): string[] {
  return Object.entries(sdk).flatMap(([name, value]) => {
    const at = path + name;
    return typeof value === 'object' && value !== null && !wholes.includes(at)
      ? namesIn(value, `${at}.`)
      : [at];
  });
}

describe('what stands in for the SDK of a portal', () => {
  for (const portal of portalNames) {
    test(`${portal}: has every documented name, and no other`, () => {
      const { frame } = fakeWindow();
      const sdk = makers[portal]({ spaceport: start(null, frame), served: { board: null }, frame });
      const documented = namesOf(documentedSdks[portal]);
      assert.equal(new Set(documented).size, documented.length, 'each once');
      assert.deepEqual(namesIn(sdk).sort(), [...documented].sort());
    });
  }
});
